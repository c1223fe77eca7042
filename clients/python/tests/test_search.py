from __future__ import annotations

from datetime import date, datetime, timezone
from typing import Any

import pytest

import crabro

from .conftest import letters

NOTES: list[dict[str, Any]] = [
    {"id": "boat", "title": "A boat", "text": "sailing along the coast", "price": 5, "day": date(2024, 5, 1),
     "tags": ["sea", "trip"]},
    {"id": "car", "title": "A car", "text": "driving along the road", "price": 3, "day": date(2024, 6, 1),
     "tags": ["trip"]},
    {"id": "tea", "title": "Green tea", "text": "hot water", "price": 1, "day": date(2023, 5, 1), "tags": []},
    {"id": "none", "title": "Nothing"},
]  # fmt: skip


@pytest.fixture
def notes(collection: crabro.Collection) -> crabro.Collection:
    collection.add(NOTES)
    return collection


def test_finds_all_words(notes: crabro.Collection) -> None:
    result = notes.search("along coast")

    assert result.ids == ["boat"]
    assert result.total == 1
    assert result.is_complete
    assert result[0]["title"] == "A boat"
    assert result[0]["day"] == date(2024, 5, 1)
    assert result[0].score > 0
    assert sorted(notes.search("along coast", match="any").ids) == ["boat", "car"]
    assert notes.search("-car along").ids == ["boat"]


@pytest.mark.parametrize(
    ("words", "typos", "beginning", "ids"),
    [
        ("coasl", True, False, ["boat"]),
        ("coasl", False, False, []),
        ("sailng along", True, False, ["boat"]),
        ("sail", True, False, []),
        ("sail", True, True, ["boat"]),
        ("sail", False, True, ["boat"]),
        ("sail ", False, True, []),
        ("sail along", False, True, []),
        ("along dri", False, True, ["car"]),
        ("sailng alo", True, True, ["boat"]),
        ("sailng alo", False, True, []),
    ],
)
def test_finds_words_with_typos_and_beginnings(
    notes: crabro.Collection, words: str, typos: bool, beginning: bool, ids: list[str]
) -> None:
    result = notes.search(words, typos=typos, beginning=beginning, facets=["title"])

    assert result.ids == ids
    assert result.total == len(ids)
    assert sum(result.facets["title"].values()) == len(ids)


def test_vectors_are_searched_with_typos_and_beginnings(db: crabro.Database, name: str) -> None:
    notes = db.collection(name, embed=letters)
    notes.add([{"id": "a", "text": "sailing"}, {"id": "b", "text": "driving"}])

    assert sorted(notes.search("sail", beginning=True).ids) == ["a", "b"]
    assert notes.search("sail", by="words", beginning=True).ids == ["a"]
    assert notes.search("sailng", by="words", typos=False).ids == []


def test_finds_elements_of_lists(notes: crabro.Collection) -> None:
    assert sorted(notes.search("trip").ids) == ["boat", "car"]


def test_conditions_restrict_searches(notes: crabro.Collection) -> None:
    assert notes.search("along", where={"price": {"<": 4}}).ids == ["car"]
    assert notes.search("along", where={"day": {">": "2024-05"}, "tags": "trip"}).total == 1
    assert sorted(notes.search(where={"day": "2024"}).ids) == ["boat", "car"]
    assert notes.search(where={"tags": {"not contains": "sea"}, "price": {"exists": True}}, order="price").ids == [
        "tea",
        "car",
    ]


def test_sorts_and_pages(notes: crabro.Collection) -> None:
    assert notes.search(order="-price", where={"price": {"exists": True}}).ids == ["boat", "car", "tea"]
    assert notes.search(order=["title"], limit=2).ids == ["boat", "car"]
    assert notes.search(order="title", limit=2, offset=2).ids == ["tea", "none"]
    assert notes.search(order="-day", limit=1).ids == ["car"]
    assert len(notes.search(limit=0)) == 0
    assert notes.search(limit=0).total == 4


def test_counts_values(notes: crabro.Collection) -> None:
    facets = notes.search(limit=0, facets=["tags", "price", "title"]).facets

    assert facets["tags"] == {"trip": 2, "sea": 1}
    assert facets["price"] == {1: 1, 3: 1, 5: 1}
    assert len(facets["title"]) == 4
    assert notes.search("along", limit=1, facets=["tags"], where={"price": 5}).facets == {"tags": {"sea": 1, "trip": 1}}
    assert notes.search(limit=0, facets={"day": "month", "tags": None}).facets["day"] == {
        date(2024, 5, 1): 1,
        date(2024, 6, 1): 1,
        date(2023, 5, 1): 1,
    }
    assert notes.search(limit=0, facets={"day": "year"}).facets["day"] == {date(2024, 1, 1): 2, date(2023, 1, 1): 1}


def test_counts_exact_times_and_truth_values(collection: crabro.Collection) -> None:
    at = datetime(2024, 5, 1, 10, 0, 0, 5, timezone.utc)
    collection.add([{"at": at, "live": True}, {"at": at, "live": False}, {"live": False}])

    facets = collection.search(limit=0, facets=["at", "live"]).facets
    assert facets == {"at": {at: 2}, "live": {False: 2, True: 1}}
    assert collection.search(limit=0, facets={"at": "hour"}).facets == {
        "at": {datetime(2024, 5, 1, 10, tzinfo=timezone.utc): 2}
    }


def test_reads_many_hits(collection: crabro.Collection) -> None:
    collection.add({"id": i, "title": f"note {i}"} for i in range(1100))

    result = collection.search("note", limit=950, order="title")
    assert len(set(result.ids)) == 950
    assert result.total == 1100
    with pytest.raises(crabro.QueryError, match="use scan"):
        collection.search("note", limit=1001)


def test_vectors_of_documents_are_searched(collection: crabro.Collection) -> None:
    texts = ["boat", "coast", "tea"]
    vectors = letters(texts)
    collection.add({"id": t, "title": t, "v": v} for t, v in zip(texts, vectors, strict=True))

    result = collection.search(vector=vectors[1], limit=2, include_vectors=True)
    assert result.ids == ["coast", "boat"]
    assert result[0].score == pytest.approx(1.0, abs=1e-6)
    assert -1 <= result[1].score < 1
    assert result[0].vector == pytest.approx(vectors[1])
    assert result[0]["v"] == pytest.approx(vectors[1])
    assert "v" not in collection.search(vector=vectors[1])[0]
    assert collection.search(vector=vectors[1], where={"title": {"!=": "coast"}}, limit=1).ids == ["boat"]
    assert collection.search("tea", vector=vectors[1], limit=3).ids[0] in ("tea", "coast")
    document = collection.get("tea", include_vectors=True)
    assert document is not None
    assert document.vector == pytest.approx(vectors[2])
    with pytest.raises(crabro.QueryError, match="has 2 numbers"):
        collection.search(vector=[1.0, 2.0])
    with pytest.raises(crabro.FieldError, match="has 2 numbers"):
        collection.add([{"v": [1.0, 2.0]}])


def test_a_function_makes_the_vectors(db: crabro.Database, name: str) -> None:
    calls: list[int] = []

    def embed(texts: list[str]) -> list[list[float]]:
        calls.append(len(texts))
        return letters(texts)

    collection = db.collection(name, embed=embed, embed_fields="text")
    collection.add([*NOTES, {"id": "ocean", "text": "saoc tgnol aliing eth"}])

    both = collection.search("sailing coast", limit=5)
    assert both[0].id == "boat"
    assert "ocean" in both.ids
    near = collection.search("sailing along the coast", by="vector", limit=1)
    assert near.ids == ["boat"]
    assert near[0].score == pytest.approx(1.0, abs=1e-6)
    assert collection.search("sailing", by="words").ids == ["boat"]
    assert collection.search(vector=letters(["hot water"])[0], limit=1).ids == ["tea"]
    assert collection.search("along", order="price", where={"price": {"exists": True}}).ids[0] == "tea"
    assert collection.search("x", include_vectors=True, by="vector")[0].vector is not None
    assert sum(calls) == 1 + 4 + 4

    later = db.collection(name)
    assert later.search("sailing", by="words").ids == ["boat"]
    with pytest.raises(crabro.SchemaError, match="made by a function"):
        later.search("sailing")
    with pytest.raises(crabro.SchemaError, match="made by a function"):
        later.add([{"text": "x"}])


def test_updates_embed_changed_texts(db: crabro.Database, name: str) -> None:
    collection = db.collection(name, embed=letters, embed_fields=["text"])
    collection.add(NOTES)

    assert collection.update("tea", [{"text": "zzzz"}]) == 1
    assert collection.search("zzzz", by="vector", limit=1).ids == ["tea"]


@pytest.mark.parametrize(
    ("embed", "message"),
    [
        (lambda texts: [], "0 vectors for 1 texts"),
        (lambda texts: [[1.0] * (3 + len(each)) for each in texts], "different lengths"),
        (lambda texts: [[float("nan")] * 3 for _ in texts], "not finite"),
    ],
)
def test_rejects_functions_that_make_no_vectors(db: crabro.Database, name: str, embed: Any, message: str) -> None:
    with pytest.raises((crabro.QueryError, crabro.FieldError), match=message):
        db.collection(name, embed=embed).add([{"text": "a"}, {"text": "bcd"}])


def test_rejects_wrong_embedders(db: crabro.Database, name: str) -> None:
    with pytest.raises(crabro.SchemaError, match="embed is a function or a directory"):
        db.collection(name, embed=5)  # type: ignore[arg-type]
    with pytest.raises(crabro.SchemaError, match="there is no directory"):
        db.collection(name, embed="/does/not/exist").add([{"text": "a"}])
    with pytest.raises(crabro.SchemaError, match="no text to embed"):
        db.collection(name, embed=letters).add([{"n": 1}])
    with pytest.raises(crabro.SchemaError, match="embed_fields names 'n'"):
        db.collection(name, embed=letters, embed_fields="n").add([{"n": 1, "text": "a"}])


def test_yql_takes_values_as_parameters(notes: crabro.Collection) -> None:
    yql = f"select * from {notes.name} where title contains @word and price > 0"

    result = notes.search(yql=yql, params={"word": "boat"})
    assert result.ids == ["boat"]
    assert result[0]["day"] == date(2024, 5, 1)
    for liar in ('boat" or true or title contains "x', '") or (true', "@word", "' or '1'='1"):
        assert notes.search(yql=yql, params={"word": liar}).ids == []
    with pytest.raises(crabro.QueryError, match="no name for a value"):
        notes.search(yql=yql, params={"streaming.groupname": "other", "word": "boat"})
    with pytest.raises(crabro.QueryError, match="no name for a value"):
        notes.search(yql=yql, params={"hits": 5, "word": "boat"})
    grouped = notes.search(yql=f"select * from {notes.name} where true | all(group(tags) each(output(count())))")
    assert grouped.facets == {"tags": {"trip": 2, "sea": 1}}
    with pytest.raises(crabro.QueryError, match="where title contains and"):
        notes.search(yql=f"select * from {notes.name} where title contains and")


@pytest.mark.parametrize(
    "words", ['"', '" or true', "title:boat) or (true", "\\", "@words", "sddocname:x", "😀", "+-*"]
)
def test_words_are_no_language(notes: crabro.Collection, words: str) -> None:
    assert notes.search(words, where={"id": "none"}).total <= 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"limit": -1}, "whole numbers from 0"),
        ({"order": "prise"}, "did you mean 'price'"),
        ({"facets": "tags"}, "facets is a list"),
        ({"facets": ["x"]}, "there is no field 'x'"),
        ({"facets": {"day": "minute"}}, "unknown part"),
        ({"facets": {"price": "day"}}, "is a part of dates"),
        ({"by": "all"}, "by is 'words'"),
        ({"by": "vector"}, "has no vectors"),
        ({"match": "some"}, "match is 'all' or 'any'"),
        ({"words": 5}, "the words are a text"),
        ({"timeout": 0}, "timeout is above 0"),
        ({"params": {"a": 1}}, "belong to yql"),
        ({"yql": "select", "order": "price"}, "cannot be combined with yql"),
        ({"vector": [1.0]}, "has no vectors"),
        ({"where": {"prise": 1}}, "did you mean 'price'"),
    ],
)
def test_rejects_wrong_arguments(notes: crabro.Collection, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(crabro.QueryError, match=message):
        notes.search(**arguments)
