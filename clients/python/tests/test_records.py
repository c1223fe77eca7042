from __future__ import annotations

import itertools
import random
from datetime import date, datetime, timezone
from typing import Any

import pytest

import crabro
from crabro.records import (
    AllOf,
    AnyOf,
    Compare,
    Condition,
    Not,
    Operator,
    Own,
    Record,
    Records,
    Tagged,
    condition_of,
    group_of,
    text_of,
)

_numbers = itertools.count(1)

VALUES: list[Any] = [
    None, True, False, 0, 1, -2, 1.0, 2.5, 2**53 + 1, "", "1", "coast", "Coast road", 'a "quote"',
    "back\\slash", "line\nend", "2024-05-01", "2024-05-01T02:00:00+02:00", [], {}, ["sea", "trip"], [1, 2.0],
    [["deep"]], {"city": "Rome", "zip": 5},
    date(2024, 5, 1), datetime(2024, 5, 1, 10, tzinfo=timezone.utc), "x" * 9000, ["y" * 500],
]  # fmt: skip


@pytest.fixture
def records(db: crabro.Database) -> Records:
    return Records(db.collection("records", group=f"r{next(_numbers)}"))


def stored(records: Records) -> list[Record]:
    given = [Record(f"{i}", f"text {i}", {} if value is None else {"v": value}) for i, value in enumerate(VALUES)]
    assert records.put(given) == [each.id for each in given]
    return given


def found(records: Records, condition: Condition) -> list[Any]:
    ids = sorted(int(each.id) for each in records.scan(condition))
    assert records.count(condition) == len(ids)
    return [VALUES[i] for i in ids]


def test_records_come_back_as_they_were(records: Records) -> None:
    given = [
        Record("a", "Text", {"n": None, "deep": {"list": [1, {"x": None}]}, "a.b": 1, "1": "", "größe": 1.5}),
        Record("b", None, {}, [0.5, -0.25, 1.0], {"blob": "x"}),
        Record("c/ü:#?", "", {"at": datetime(2024, 1, 1, 12, 30, 0, 5), "day": date(1900, 1, 1), "t": (1, 2)}),
    ]
    records.put(given)

    by_id = {each.id: each for each in records.scan(vectors=True)}

    assert by_id["a"].metadata == given[0].metadata
    assert by_id["b"] == given[1]
    assert by_id["c/ü:#?"].text == ""
    assert by_id["c/ü:#?"].metadata == {**given[2].metadata, "t": [1, 2]}
    assert [each.id for each in records.get(["b", "x", "a"])] == ["b", "a"]
    assert records.existing(["b", "x", "a"]) == {"a", "b"}


def same_kind(a: Any, b: Any) -> bool:
    numbers = (int, float)
    if isinstance(a, bool) or isinstance(b, bool):
        return type(a) is type(b)
    return type(a) is type(b) or (isinstance(a, numbers) and isinstance(b, numbers))


@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:30])
def test_equality_is_that_of_python(records: Records, value: Any) -> None:
    # One test after another finds the same fields, so the schema is deployed once.
    stored(records)
    equal = [each for each in VALUES if same_kind(each, value) and each == value]
    if isinstance(value, date):
        # A text that is this moment has the same field.
        equal = found(records, Compare("v", "==", value))
        assert value in equal
    assert found(records, Compare("v", "==", value)) == equal
    assert found(records, Compare("v", "!=", value)) == [
        each for each in VALUES if each not in equal or is_other(each, equal)
    ]
    assert found(records, Compare("v", "in", [value, "none of them"])) == equal
    assert len(found(records, Not(Compare("v", "in", [value])))) == len(VALUES) - len(equal)


def is_other(each: Any, equal: list[Any]) -> bool:
    return not any(same_kind(each, other) and each == other for other in equal)


@pytest.mark.parametrize(
    ("operator", "operand", "expected"),
    [
        (">", 0, [1, 1.0, 2.5, 2**53 + 1]),
        ("<=", 1.5, [0, 1, -2, 1.0]),
        ("<", 2**53 + 1, [0, 1, -2, 1.0, 2.5]),
        (">", "a", ["coast", 'a "quote"', "back\\slash", "line\nend", "x" * 9000][:4]),
        (">=", "2024-05-01", ["2024-05-01", date(2024, 5, 1), datetime(2024, 5, 1, 10, tzinfo=timezone.utc),
                              "2024-05-01T02:00:00+02:00"]),
        ("<", date(2024, 5, 1), []),
        ("<", None, []),
        ("contains", "sea", [["sea", "trip"]]),
        ("contains", 2, [[1, 2.0]]),
        ("contains", "oast", ["coast", "Coast road"]),
        ("icontains", "COAST", ["coast", "Coast road"]),
        ("contains", "y" * 500, [["y" * 500]]),
        ("contains", '"', ['a "quote"']),
        ("exists", True, VALUES[1:]),
        ("exists", False, [None]),
        ("empty", None, [None, "", [], {}]),
    ],
)  # fmt: skip
def test_operators(records: Records, operator: Operator, operand: Any, expected: list[Any]) -> None:
    stored(records)

    hits = found(records, Compare("v", operator, operand))

    assert sorted(map(repr, hits)) == sorted(map(repr, expected))
    assert len(found(records, Not(Compare("v", operator, operand)))) == len(VALUES) - len(expected)


def test_moments_are_equal_if_asked(records: Records) -> None:
    stored(records)

    assert found(records, Compare("v", "==", "2024-05-01T00:00:00Z", moments=True)) == [
        "2024-05-01", "2024-05-01T02:00:00+02:00", date(2024, 5, 1),
    ]  # fmt: skip
    assert found(records, Compare("v", "==", "2024-05-01T00:00:00Z")) == []


def test_keys_of_dictionaries_have_dots(records: Records) -> None:
    stored(records)

    assert found(records, Compare("v.city", "==", "Rome")) == [{"city": "Rome", "zip": 5}]
    assert found(records, AllOf([Compare("v.zip", ">", 4), Compare("v.city", "!=", "Oslo")])) == [VALUES[23]]
    assert found(records, Compare("v.unknown", "==", 1)) == []
    assert len(found(records, Compare("v.unknown", "!=", 1))) == len(VALUES)


def test_own_values_and_tags(records: Records) -> None:
    records.put(
        [Record("a", "one", vector=[1, 0, 0], tags=["x", "y"]), Record("b", None, tags=["y"]), Record("c", "two")]
    )

    def ids(condition: Condition) -> list[str]:
        return sorted(each.id for each in records.scan(condition))

    assert ids(Own("id", "in", ["a", "c"])) == ["a", "c"]
    assert ids(Own("id", "!=", "a")) == ["b", "c"]
    assert ids(Own("text", "==", "one")) == ["a"]
    assert ids(Own("text", "==", None)) == ["b"]
    assert ids(Own("vector", "==", None)) == ["b", "c"]
    assert ids(Tagged(["x"])) == ["a"]
    assert ids(AnyOf([Tagged(["y"]), Own("text", "contains", "tw")])) == ["a", "b", "c"]
    assert records.delete_where(Tagged(["y"])) == 2
    assert ids(AllOf([])) == ["c"]


def test_a_new_key_of_another_program_is_seen(db: crabro.Database, name: str) -> None:
    first, second = (Records(db.collection(name)) for _ in range(2))
    first.put([Record("a", "one", {"x": 1})])
    assert second.count(Compare("x", "==", 1)) == 1

    first.put([Record("b", "two", {"new": "value"})])

    assert second.count(Compare("new", "==", "value")) == 1
    assert second.keys() == {"x": {"int"}, "new": {"text"}}


def test_new_records_do_not_replace_others(records: Records) -> None:
    assert records.put_new([Record("a", "one"), Record("a", "again"), Record("b", "two")]) == 2
    assert records.put_new([Record("a", "other"), Record("c", "three")]) == 1
    assert [each.text for each in records.get(["a", "b", "c"])] == ["one", "two", "three"]
    with pytest.raises(crabro.DuplicateIdError):
        records.put([Record("a")], is_new=True)


def test_filter_keys_limit_the_fields(db: crabro.Database, name: str) -> None:
    records = Records(db.collection(name), filter_keys=["page"])
    records.put([Record("a", "one", {"page": 1, "free": "x"})])

    assert records.keys() == {"page": {"int"}}
    assert records.get(["a"])[0].metadata == {"page": 1, "free": "x"}


def test_searches_by_words_and_vectors(records: Records) -> None:
    records.put(
        [
            Record("a", "the coast road", {"n": 1}, [1.0, 0.0, 0.0]),
            Record("b", "the coast", {"n": 2}, [0.9, 0.1, 0.0]),
            Record("c", "the hills", {"n": 3}, [0.0, 1.0, 0.0]),
        ]
    )

    def ids(*args: Any, **more: Any) -> list[str]:
        return [each.id for each in records.search(*args, **more)]

    assert set(ids("coast road", by="words")) == {"a", "b"}
    assert ids("coast road", by="words")[0] == "a"
    assert ids("coast road", by="words", match="all") == ["a"]
    assert ids(vector=[1, 0, 0], by="vector", limit=2) == ["a", "b"]
    assert ids(vector=[1, 0, 0], by="vector", min_score=0.5) == ["a", "b"]
    assert ids(vector=[1, 0, 0], by="vector", condition=Compare("n", ">", 1)) == ["b", "c"]
    assert ids(vector=[1, 0.2, 0], by="vector", limit=2, diversity=0.9, candidates=3) == ["b", "c"]
    assert ids("hills", vector=[0, 1, 0], by="both")[0] == "c"
    assert ids(vector=[1, 0, 0], by="vector", limit=0) == []
    hit = records.search(vector=[1, 0, 0], by="vector", limit=1, vectors=True)[0]
    assert hit.score == pytest.approx(1)
    assert hit.vector == [1.0, 0.0, 0.0]


def test_records_without_vectors_are_found_by_words(db: crabro.Database, name: str) -> None:
    records = Records(db.collection(name))
    assert records.search("coast", vector=[1.0, 2.0], by="both") == []
    records.put([Record("a", "the coast")])

    assert records.search(vector=[1.0, 2.0], by="vector") == []
    assert [each.id for each in records.search("coast", vector=[1.0, 2.0], by="both")] == ["a"]


@pytest.mark.parametrize(
    "value",
    [b"bytes", {1: 2}, {"$crabro:time": 1}, object(), 2**63],
    ids=["bytes", "key", "reserved", "object", "long"],
)
def test_values_that_cannot_be_stored_are_refused(records: Records, value: Any) -> None:
    with pytest.raises(crabro.FieldError, match=r"record|field"):
        records.put([Record("a", "x", {"v": value})])
    assert records.count() == 0


def test_deep_metadata_and_conditions_are_refused(records: Records) -> None:
    deep: Any = {}
    where: Any = {"a": 1}
    condition: Condition = Compare("a", "==", 1)
    for _ in range(2000):
        deep, where, condition = {"a": deep}, {"$not": where}, Not(condition)
    with pytest.raises(crabro.FieldError, match="nested"):
        records.put([Record("a", "x", deep)])
    with pytest.raises(crabro.QueryError, match="nested"):
        condition_of(where)
    with pytest.raises(crabro.QueryError, match="nested"):
        records.count(condition)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'{"metadata": {}}',
        b'{"metadata": ' + b"[" * 100_000 + b"]" * 100_000 + b', "extra": {}, "has_text": true}',
        b'{"metadata": {"a": {"$crabro:time": "never"}}, "extra": {}, "has_text": true}',
    ],
    ids=["empty", "list", "incomplete", "deep", "time"],
)
def test_documents_of_others_are_refused(db: crabro.Database, data: bytes) -> None:
    collection = db.collection("records_of_others", group=f"o{next(_numbers)}")
    collection.add([{"id": "x", "text": "plain", "data": data or None}])

    with pytest.raises(crabro.FieldError, match="no record"):
        Records(collection).get(["x"])


def test_conditions_of_dictionaries() -> None:
    assert condition_of({"a": 1}) == Compare("a", "==", 1)
    assert condition_of({"a": {"$gt": 1, "<=": 3}, "$or": [{"b": "x"}, {"c": {"nin": [1]}}]}) == AllOf(
        [
            AllOf([Compare("a", ">", 1), Compare("a", "<=", 3)]),
            AnyOf([Compare("b", "==", "x"), Compare("c", "not in", [1])]),
        ]
    )
    assert condition_of({"not": {"a": None}}) == Not(Compare("a", "==", None))
    assert condition_of({"or": "text"}) == Compare("or", "==", "text")
    wrongs: list[Any] = [[1], {1: 2}, {"a": {}}, {"a": {"$near": 1}}, {"$nor": [{}]}, {"$and": [1]}]
    for wrong in wrongs:
        with pytest.raises(crabro.QueryError):
            condition_of(wrong)


def test_values_cannot_change_a_condition(records: Records) -> None:
    records.put([Record("a", "x", {"v": "secret"})])
    for attack in ('" or true or "', "\\", '\\" == "', "x) or (true", "$", "a\x00b", "(?i)SECRET", "]"):
        operators: tuple[Operator, ...] = ("==", "contains", "icontains", "<")
        for operator in operators:
            assert records.count(AllOf([Compare("v", operator, attack), Compare("v", "==", attack)])) == 0
        assert records.count(Compare(attack, "==", "secret")) == 0
        assert records.count(Tagged([attack])) == 0


@pytest.mark.parametrize("text", ["", "a", "a:b,c", "100%", "%3A", "ü/ß", "x\ny"])
def test_groups_have_names_for_all_texts(text: str) -> None:
    assert text_of(group_of(text)) == text
    assert not set(group_of(text)) & set(":,")


def test_random_conditions_match_an_evaluation_in_python(records: Records) -> None:
    seed = 7
    print("seed", seed)
    source = random.Random(seed)
    values: list[Any] = [None, 1, 2, 2.5, "a", "b", ["a"], ["a", "b"], True]
    given = [Record(f"{i}", "t", {key: source.choice(values) for key in ("p", "q")}) for i in range(60)]
    records.put(given)

    def holds(value: Any, operator: str, operand: Any) -> bool:
        if operator == "==":
            return same_kind(value, operand) and value == operand
        if operator == "in":
            return any(holds(value, "==", each) for each in operand)
        if operator == "contains":
            return isinstance(value, (list, str)) and isinstance(operand, str) and operand in value
        return isinstance(value, (int, float)) and not isinstance(value, bool) and value > operand

    def make(depth: int) -> tuple[Condition, Any]:
        kind = source.choice(["leaf", "and", "or", "not"]) if depth else "leaf"
        if kind == "not":
            inner, check = make(depth - 1)
            return Not(inner), lambda m: not check(m)
        if kind in ("and", "or"):
            parts = [make(depth - 1) for _ in range(source.randint(1, 3))]
            conditions = [part for part, _ in parts]
            together = all if kind == "and" else any
            made = AllOf(conditions) if kind == "and" else AnyOf(conditions)
            return made, lambda m: together(check(m) for _, check in parts)
        key = source.choice(["p", "q", "r"])
        operator: Any = source.choice(["==", "in", "contains", ">"])
        operand: Any = source.choice(["a", "b"]) if operator == "contains" else source.choice(values)
        if operator == "in":
            operand = source.sample(values, 3)
        if operator == ">":
            operand = source.choice([1, 2.0])
        return Compare(key, operator, operand), lambda m: holds(m.get(key), operator, operand)

    for _ in range(40):
        condition, check = make(3)
        expected = {each.id for each in given if check(each.metadata)}
        assert {each.id for each in records.scan(condition)} == expected, condition
