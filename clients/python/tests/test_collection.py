from __future__ import annotations

import random
from datetime import date, datetime, timezone
from typing import Any

import pytest

import crabro

LIAR = [
    '"',
    '" or true or "',
    "\\",
    '\\" or true',
    "a' or 'b",
    ") or (true",
    "@words",
    "${x}",
    "%2F../..",
    "line\nend\ttab",
    "<hi>",
    "😀 naïve ǆ 漢字",
    "x" * 3000,
    "null",
    "true",
    "*",
    "?",
]


def test_stores_and_reads_documents(collection: crabro.Collection) -> None:
    document = {
        "title": "Boat",
        "price": 2.5,
        "count": 7,
        "live": True,
        "day": date(2024, 5, 1),
        "at": datetime(2024, 5, 1, 10, 30, tzinfo=timezone.utc),
        "exact": datetime(2024, 5, 1, 10, 30, 0, 123456, timezone.utc),
        "raw": b"\x00\xff",
        "tags": ["red", "blue"],
        "numbers": [1, 2],
        "meta": {"author": {"name": "Ann"}, "größe": 5},
        "items": [{"a": 1}, {"b": [None]}],
    }
    ids = collection.add([document, {"title": "Car"}])

    found = collection.get(ids)
    assert list(found) == [document, {"title": "Car"}]
    assert found.ids == ids
    assert collection.get(ids[0]) == document
    assert collection.get("none") is None
    assert collection.get(["none"]).ids == []
    assert collection.count() == 2
    assert {each.id: dict(each) for each in collection} == {ids[0]: document, ids[1]: {"title": "Car"}}
    assert collection.fields()["meta.author.name"] == "text"


def test_is_empty_before_the_first_document(collection: crabro.Collection) -> None:
    assert collection.count() == 0
    assert list(collection) == []
    assert collection.get("a") is None
    assert len(collection.search("boat", facets=["title"])) == 0
    assert collection.delete(["a"]) == 0
    assert collection.clear() == 0
    assert collection.groups() == {}
    assert collection.add([]) == []


def test_takes_ids_from_documents_and_arguments(collection: crabro.Collection) -> None:
    assert collection.add([{"id": "a", "n": 1}, {"id": 7, "n": 2}]) == ["a", "7"]
    assert collection.add([{"n": 3}], ids=["b"]) == ["b"]
    assert collection.add({"id": "c", "n": 4}) == ["c"]
    assert {each.id: each["n"] for each in collection} == {"a": 1, "7": 2, "b": 3, "c": 4}


def test_add_replaces_nothing(collection: crabro.Collection) -> None:
    collection.add([{"id": "a", "n": 1}])

    with pytest.raises(crabro.DuplicateIdError, match="use upsert") as failure:
        collection.add([{"id": "a", "n": 2}, {"id": "b", "n": 3}])

    assert [(each.id, each.index) for each in failure.value.failures] == [("a", 0)]
    assert failure.value.written == 1
    assert {each.id: each["n"] for each in collection} == {"a": 1, "b": 3}
    with pytest.raises(crabro.FieldError, match="occurs twice"):
        collection.add([{"id": "c", "n": 1}, {"id": "c", "n": 2}])


def test_upsert_replaces_documents(collection: crabro.Collection) -> None:
    collection.add([{"id": "a", "n": 1, "title": "old"}])
    collection.upsert([{"id": "a", "n": 2}, {"id": "a", "n": 3}])

    assert collection.get("a") == {"n": 3}


def test_update_changes_single_fields(collection: crabro.Collection) -> None:
    collection.add([{"id": "a", "n": 1, "title": "old"}])

    assert collection.update(["a", "none"], [{"n": 2, "title": None}, {"n": 5}]) == 1
    assert collection.get("a") == {"n": 2}
    assert collection.get("none") is None


def test_new_fields_extend_the_schema(db: crabro.Database, collection: crabro.Collection) -> None:
    collection.add([{"id": "a", "n": 1}])
    other = db.collection(collection.name)
    assert other.get("a") == {"n": 1}

    collection.add([{"id": "b", "title": "Boat", "meta": {"n": 2}}])
    other.add([{"id": "c", "title": "Car", "price": 1.5}])

    assert {each.id: dict(each) for each in other} == {
        "a": {"n": 1},
        "b": {"title": "Boat", "meta": {"n": 2}},
        "c": {"title": "Car", "price": 1.5},
    }
    assert other.search("car").ids == ["c"]
    assert db.collection(collection.name).fields() == {"n": "int", "title": "text", "meta.n": "int", "price": "float"}


def test_documents_can_have_new_fields_in_the_middle(collection: crabro.Collection) -> None:
    written = collection.add({"n": i} if i < 1500 else {"n": i, "late": "x"} for i in range(2500))

    assert len(written) == 2500
    assert collection.count() == 2500
    assert collection.count({"late": "x"}) == 1000
    assert len({each["n"] for each in collection.scan(batch_size=97)}) == 2500


def test_values_that_do_not_fit_have_a_place(collection: crabro.Collection) -> None:
    collection.add([{"n": 1}])

    with pytest.raises(crabro.FieldError, match="document 1, field 'n'"):
        collection.add([{"n": 2}, {"n": "two"}])
    with pytest.raises(crabro.FieldError, match="a document is a dictionary"):
        collection.add(["text"])
    with pytest.raises(crabro.FieldError, match="documents are dictionaries"):
        collection.add("text")


def test_the_server_names_the_document_that_it_refuses(collection: crabro.Collection) -> None:
    with pytest.raises(crabro.FeedError, match="document 1 ") as failure:
        collection.add([{"title": "a"}, {"id": "bad", "title": "\x01"}])

    assert [(each.index, each.id, each.status) for each in failure.value.failures] == [(1, "bad", 400)]
    assert collection.count() == 1


def test_deletes_by_ids_and_by_conditions(collection: crabro.Collection) -> None:
    collection.add({"id": i, "n": i} for i in range(10))

    assert collection.delete("0") == 1
    assert collection.delete(["1", "1", "none"]) == 1
    assert collection.delete(where={"n": {">=": 7}}) == 3
    assert sorted(each["n"] for each in collection) == [2, 3, 4, 5, 6]
    with pytest.raises(crabro.QueryError, match="use clear"):
        collection.delete(where={})
    with pytest.raises(crabro.QueryError, match="ids or a condition"):
        collection.delete()
    assert collection.clear() == 5
    assert collection.count() == 0


def test_groups_are_apart(db: crabro.Database, name: str) -> None:
    ann = db.collection(name, group="ann")
    ben = ann.in_group('b/e"n %ü')
    ann.add([{"id": "1", "title": "boat of ann"}])
    ben.add([{"id": "1", "title": "boat of ben"}, {"id": "2", "title": "car"}])

    assert [hit["title"] for hit in ann.search("boat")] == ["boat of ann"]
    assert [hit["title"] for hit in ben.search("boat", where={"title": {"!=": "x"}})] == ["boat of ben"]
    assert (ann.count(), ben.count()) == (1, 2)
    assert sorted(each.id for each in ben) == ["1", "2"]
    assert ben.get("2") == {"title": "car"}
    assert ann.groups() == {"ann": 1, 'b/e"n %ü': 2}
    assert ben.delete(where={"title": "car"}) == 1
    assert ben.clear() == 1
    assert ann.count() == 1
    for wrong in ("", "a:b", "a,b"):
        with pytest.raises(crabro.SchemaError, match="no name of a group"):
            db.collection(name, group=wrong)


@pytest.mark.parametrize("value", LIAR)
def test_conditions_compare_hostile_values_as_values(shared: crabro.Collection, value: str) -> None:
    shared.add([{"id": "a", "title": value, "tags": [value, "x"]}, {"id": "b", "title": "other", "tags": ["y"]}])

    for where in (
        {"title": value},
        {"title": {"in": [value]}},
        {"title": {"contains": value}},
        {"tags": {"contains": value}},
        {"not": {"title": {"!=": value}}},
        {"and": [{"title": value}, {"or": [{"tags": value}]}]},
    ):
        assert shared.count(where) == 1, where
        assert [each.id for each in shared.scan(where)] == ["a"], where
        assert shared.search(where=where).ids == ["a"], where
    assert shared.search(value[:200], where={"title": value}).total <= 1
    assert shared.delete(where={"title": value}) == 1
    assert shared.count() == 1


@pytest.mark.parametrize("value", [each for each in LIAR if "\n" not in each])
def test_ids_can_have_any_characters(shared: crabro.Collection, value: str) -> None:
    shared.add([{"id": value, "n": 1}, {"id": "other", "n": 2}])

    assert shared.get(value) == {"n": 1}
    assert shared.search(where={"id": value}).ids == [value]
    assert sorted(each.id for each in shared) == sorted([value, "other"])
    assert shared.delete([value]) == 1
    assert [each.id for each in shared] == ["other"]


@pytest.mark.parametrize("value", LIAR)
def test_keys_can_have_any_characters(shared: crabro.Collection, value: str) -> None:
    shared.add([{"id": "a", value: "boat", "in": {value: 1}}])

    assert shared.get("a") == {value: "boat", "in": {value: 1}}
    assert shared.count({value: "boat"}) == 1
    assert shared.search("boat").ids == ["a"]


def test_conditions_agree_with_python(collection: crabro.Collection, request: pytest.FixtureRequest) -> None:
    seed = random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    documents = [
        {"id": str(i), "n": chance.choice([None, *range(5)]), "s": chance.choice([None, "a", "b", "c"])}
        for i in range(60)
    ]
    collection.add(documents)

    def value(depth: int) -> tuple[Any, Any]:
        kind = chance.randrange(6 if depth else 3)
        if kind == 0:
            n = chance.randrange(5)
            return {"n": n}, lambda d: d["n"] == n
        if kind == 1:
            texts = chance.sample(["a", "b", "c"], 2)
            return {"s": {"in": texts}}, lambda d: d["s"] in texts
        if kind == 2:
            n = chance.randrange(5)
            return {"n": {"exists": True, ">=": n}}, lambda d: d["n"] is not None and d["n"] >= n
        parts = [value(depth - 1) for _ in range(chance.randrange(1, 3))]
        wheres = [where for where, _ in parts]
        tests = [test for _, test in parts]
        if kind == 3:
            return {"and": wheres}, lambda d: all(test(d) for test in tests)
        if kind == 4:
            return {"or": wheres}, lambda d: any(test(d) for test in tests)
        return {"s": {"!=": "a"}, "or": wheres}, lambda d: d["s"] != "a" and any(test(d) for test in tests)

    for _ in range(40):
        where, test = value(3)
        expected = sorted(each["id"] for each in documents if test(each))
        assert sorted(each.id for each in collection.scan(where)) == expected, where
        assert collection.count(where) == len(expected), where


def test_drops_collections(db: crabro.Database, name: str) -> None:
    db.collection(name, group="a").add([{"n": 1}])
    db.collection(name, group="b").add([{"n": 1}])
    db.collection(name + "b").add([{"n": "text"}])
    assert name in db.collections()

    db.drop(name)
    db.drop(name)

    assert name not in db.collections()
    assert db.collection(name + "b").count() == 1
    db.collection(name, group="a").add([{"n": "now a text"}])
    assert [dict(each) for each in db.collection(name, group="a")] == [{"n": "now a text"}]


def test_reports_progress(collection: crabro.Collection, capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[tuple[int, int | None]] = []
    collection.add([{"n": i} for i in range(1200)], progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (1200, 1200)

    collection.add(({"n": i} for i in range(10)), progress=True)
    assert "10" in capsys.readouterr().err
