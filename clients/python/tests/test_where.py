from __future__ import annotations

from datetime import date, datetime, timezone
from typing import Any

import pytest

from crabro import QueryError
from crabro._fields import Field, Fields
from crabro._where import DEPTH_MAX, PARTS_MAX, in_group, literal, number, selection

FIELDS = Fields(
    [
        Field(("title",), "title", "text"),
        Field(("price",), "price", "float"),
        Field(("count",), "count", "int"),
        Field(("live",), "live", "bool"),
        Field(("day",), "day", "date"),
        Field(("at",), "at", "datetime"),
        Field(("exact",), "exact", "datetime_us"),
        Field(("tags",), "tags", "text[]"),
        Field(("meta", "author"), "meta_author", "text"),
        Field(("größe",), "grosse", "int"),
        Field(("v",), "v", "vector", 3),
    ]
)


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ({"title": "Boat"}, '((t.title == "Boat"))'),
        ({"title": {"!=": "Boat"}}, '((not (t.title == "Boat")))'),
        ({"price": {">": 1, "<=": 2.5}}, "((t.price > 1) and (t.price <= 2.5))"),
        ({"price": {"$gte": 1e-7}}, "((t.price >= 0.0000001))"),
        ({"live": True}, "((t.live == true))"),
        ({"day": date(1970, 1, 2)}, "((t.day == 86400))"),
        ({"day": {">": "1970"}}, "((t.day > 0))"),
        ({"day": "1970-01"}, "((t.day >= 0 and t.day < 2678400))"),
        ({"at": {"<": "1970-01-01T00:00:01+00:00"}}, "((t.at < 1))"),
        ({"at": {"<": "1970-01-01T01:00:00+01:00"}}, "((t.at < 0))"),
        ({"exact": datetime(1970, 1, 1, 0, 0, 0, 5, timezone.utc)}, "((t.exact == 5))"),
        ({"tags": {"contains": "red"}}, '((t.tags == "red"))'),
        ({"title": {"contains": "a.b"}}, '((t.title =~ "(?s)a\\\\.b"))'),
        ({"title": {"in": ["a", "b"]}}, '(((t.title == "a") or (t.title == "b")))'),
        ({"title": {"nin": []}}, "((not (false)))"),
        ({"title": {"exists": False}}, "((t.title == null))"),
        ({"title": None}, "((t.title == null))"),
        ({"meta.author": "Ann"}, '((t.meta_author == "Ann"))'),
        ({"größe": 3}, "((t.grosse == 3))"),
        ({"id": "7"}, '((id.specific == "7"))'),
        ({"or": [{"count": 1}, {"count": 2}]}, "((((t.count == 1))) or (((t.count == 2))))"),
        ({"not": {"count": 1}}, "(not (((t.count == 1))))"),
        ({"and": []}, "(true)"),
        ({"or": []}, "(false)"),
    ],
)
def test_compiles_conditions(where: dict[str, Any], expected: str) -> None:
    assert selection(where, "t", FIELDS) == expected


def test_has_no_selection_for_all_documents() -> None:
    assert selection(None, "t", FIELDS) is None
    assert selection({}, "t", FIELDS) is None


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ({"titel": "x"}, "did you mean 'title'?"),
        ({"title": {"~": "x"}}, "unknown operator '~'"),
        ({"title": {}}, "the comparison is empty"),
        ({"title": 5}, "the field has texts"),
        ({"count": "5"}, "is no number"),
        ({"count": True}, "is no number"),
        ({"count": 2**63}, "no whole number of 64 bits"),
        ({"price": float("nan")}, "cannot be compared"),
        ({"live": 1}, "does not fit"),
        ({"day": "May"}, "is no date"),
        ({"day": "2024-02-30"}, "is no date"),
        ({"day": {"<": None}}, "None has no order"),
        ({"v": [1.0, 2.0, 3.0]}, "cannot be compared"),
        ({"price": {"contains": "1"}}, "'contains' is for texts and lists"),
        ({"title": {"in": "abc"}}, "has a list of values"),
        ({"or": {"count": 1}}, "has a list of conditions"),
        ({"or": [5]}, "a condition is a dictionary"),
        ({5: 5}, "the names of a condition are texts"),
        ("count = 5", "a condition is a dictionary"),
        ({"title == 'x' or true or t.title": "x"}, "there is no field"),
    ],
)
def test_rejects_wrong_conditions(where: Any, message: str) -> None:
    with pytest.raises(QueryError, match=message.replace("?", "\\?")):
        selection(where, "t", FIELDS)


def test_escapes_quotes_and_backslashes() -> None:
    assert literal('a"b\\') == '"a\\"b\\\\"'
    assert literal("\n\x00") == '"\\x0a\\x00"'
    assert in_group(None, '" or true or "') == 'id.group == "\\" or true or \\""'


def test_writes_numbers_without_exponents() -> None:
    assert number(1e22) == "10000000000000000000000.0"
    assert number(-5) == "-5"
    assert number(0.1) == "0.1"


def test_limits_the_depth() -> None:
    where: dict[str, Any] = {"count": 1}
    for _ in range(DEPTH_MAX + 1):
        where = {"not": where}

    with pytest.raises(QueryError, match="nested more than"):
        selection(where, "t", FIELDS)


def test_limits_the_parts() -> None:
    with pytest.raises(QueryError, match=f"more than {PARTS_MAX} parts"):
        selection({"count": {"in": range(PARTS_MAX + 1)}}, "t", FIELDS)


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ({"not": {"count": {"<": 1}}}, "(not (((t.count != null and (t.count < 1)))))"),
        ({"not": {"tags": {"contains": "a"}}}, '(not (((t.tags != null and (t.tags == "a")))))'),
        ({"not": {"or": [{"title": {"icontains": "a.b"}}]}}, None),
        ({"title": {"icontains": "A.b"}}, '((t.title =~ "(?is)A\\\\.b"))'),
    ],
)
def test_comparisons_of_missing_values_can_be_negated(where: dict[str, Any], expected: str | None) -> None:
    made = selection(where, "t", FIELDS)

    assert made is not None
    if expected is None:
        assert "t.title != null and" in made
    else:
        assert made == expected


@pytest.mark.parametrize("where", [{"count": {"icontains": "a"}}, {"title": {"icontains": 1}}])
def test_icontains_is_for_texts(where: dict[str, Any]) -> None:
    with pytest.raises(QueryError, match="icontains"):
        selection(where, "t", FIELDS)
