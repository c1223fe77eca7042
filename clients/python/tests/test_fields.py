from __future__ import annotations

import enum
import uuid
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

from crabro import FieldError, SchemaError
from crabro._fields import (
    FIELDS_MAX,
    NAME_MAX,
    NESTING_MAX,
    Field,
    Fields,
    check_kinds,
    decode,
    encoded,
    nested,
    new_fields,
    plain,
)

UTC = timezone.utc


class Color(enum.Enum):
    RED = "red"


def kinds(*documents: dict[str, Any], **wanted: str) -> dict[str, str]:
    return {each.shown: each.kind for each in new_fields(documents, Fields(), 0, wanted)}


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["a"], "text"),
        ([1, None, 2], "int"),
        ([1, 2.5], "float"),
        ([True], "bool"),
        ([date(2024, 5, 1)], "date"),
        ([datetime(2024, 5, 1, 10)], "datetime"),
        ([datetime(2024, 5, 1, 10), datetime(2024, 5, 1, 10, 0, 0, 5)], "datetime_us"),
        ([date(2024, 5, 1), datetime(2024, 5, 1, 10)], "datetime"),
        ([b"x"], "bytes"),
        ([["a"], []], "text[]"),
        ([[1], [1.5]], "float[]"),
        ([[0.5] * 16, [0.25] * 16], "vector"),
        ([[0.5] * 16, [0.25] * 17], "float[]"),
        ([[0.5] * 3], "float[]"),
        ([[1] * 20], "int[]"),
        ([np.zeros(3, dtype=np.float32)], "vector"),
        ([np.int64(5)], "int"),
        ([np.float32(0.5)], "float"),
        ([pd.Timestamp("2024-05-01T10:00:00Z")], "datetime"),
        ([pd.NaT, pd.NA, 5], "int"),
        ([[{"a": 1}]], "json"),
        ([[[1]], [2]], "json"),
        ([[1, "a"]], "json"),
        ([Color.RED], "text"),
        ([uuid.uuid4()], "text"),
        ([("a", "b")], "text[]"),
    ],
)
def test_derives_kinds(values: list[Any], kind: str) -> None:
    assert kinds(*({"f": value} for value in values)) == {"f": kind}


def test_makes_fields_of_nested_dictionaries() -> None:
    document = {"title": "a", "meta": {"author": "Ann", "größe (cm)": 3}, "from": "b", "2nd": "c", "Title": "d"}
    fields = new_fields([document], Fields(), 0, {})

    assert {each.name: each.path for each in fields} == {
        "title": ("title",),
        "meta_author": ("meta", "author"),
        "meta_grosse_cm": ("meta", "größe (cm)"),
        "from_field": ("from",),
        "f_2nd": ("2nd",),
        "Title_2": ("Title",),
    }
    values = encoded(document, 0, Fields(fields))
    assert nested(values, Fields(fields)) == document


def test_shortens_long_names() -> None:
    fields = new_fields([{"x" * 3000: 1, "x" * 3001: 2}], Fields(), 0, {})

    assert [each.name for each in fields] == ["x" * NAME_MAX, "x" * NAME_MAX + "_2"]


def test_uses_the_kinds_that_the_user_wants() -> None:
    assert kinds({"a": "x", "b": {"c": 1}, "v": [1, 2]}, a="keyword", b="json", v="vector") == {
        "a": "keyword",
        "b": "json",
        "v": "vector",
    }
    with pytest.raises(SchemaError, match="did you mean 'keyword'"):
        check_kinds({"a": "keywords"})


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ([{"f": 1}, {"f": "a"}], "document 1, field 'f'"),
        ([{"f": ["a"]}, {"f": "a"}], "kind 'text'"),
        ([{"f": Decimal("1.5")}], "Decimal cannot be stored"),
        ([{"f": time(10)}], "store it as text"),
        ([{"f": timedelta(1)}], "store its seconds"),
        ([{"f": [None]}], "a list has None"),
        ([{"f": object()}], "cannot be stored"),
        ([{5: "a"}], "the key 5 is no text"),
        ([{"f": pd.Timestamp("2024-05-01T10:00:00.000000001")}], "nanoseconds"),
    ],
)
def test_rejects_values_that_cannot_be_stored(documents: list[dict[Any, Any]], message: str) -> None:
    with pytest.raises(FieldError) as failure:
        new_fields(documents, Fields(), 0, {})
    assert message in str(failure.value)


def test_limits_the_number_of_fields() -> None:
    with pytest.raises(SchemaError, match=f"more than {FIELDS_MAX} different fields"):
        new_fields([{f"f{i}": i for i in range(FIELDS_MAX + 1)}], Fields(), 0, {})


def test_limits_the_nesting() -> None:
    document: dict[str, Any] = {"a": 1}
    for _ in range(NESTING_MAX):
        document = {"a": document}

    with pytest.raises(FieldError, match="nested more than"):
        new_fields([document], Fields(), 0, {})


@pytest.mark.parametrize(
    ("kind", "value", "stored", "read"),
    [
        ("int", 5.0, 5, 5),
        ("float", 5, 5.0, 5.0),
        ("float", float("inf"), "Infinity", float("inf")),
        ("date", date(1969, 12, 31), -86400, date(1969, 12, 31)),
        ("date", datetime(2024, 5, 1), 1714521600, date(2024, 5, 1)),
        ("datetime", datetime(2024, 5, 1, 10), 1714557600, datetime(2024, 5, 1, 10, tzinfo=UTC)),
        ("datetime", "2024-05-01T10:00:00Z", 1714557600, datetime(2024, 5, 1, 10, tzinfo=UTC)),
        (
            "datetime",
            datetime(2024, 5, 1, 12, tzinfo=timezone(timedelta(hours=2))),
            1714557600,
            datetime(2024, 5, 1, 10, tzinfo=UTC),
        ),
        ("datetime_us", datetime(1, 1, 1, 0, 0, 0, 7), -62135596799999993, datetime(1, 1, 1, 0, 0, 0, 7, UTC)),
        ("bytes", b"\x00\xff", "AP8=", b"\x00\xff"),
        ("json", [{"a": [1, None]}], '[{"a": [1, null]}]', [{"a": [1, None]}]),
        ("text[]", ["a", "b"], ["a", "b"], ["a", "b"]),
        ("date[]", [date(1970, 1, 2)], [86400], [date(1970, 1, 2)]),
        ("vector", np.array([1, 2], dtype=np.float32), [1.0, 2.0], [1.0, 2.0]),
    ],
)
def test_reads_what_it_has_written(kind: str, value: Any, stored: Any, read: Any) -> None:
    field = Field(("f",), "f", kind, 2 if kind == "vector" else 0)

    assert encoded({"f": value}, 0, Fields([field])) == {"f": stored}
    assert decode(stored, field) == read


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        ("int", 5.5, "does not fit"),
        ("int", True, "does not fit"),
        ("int", 2**63, "64 bits"),
        ("float", 2**53 + 1, "more digits"),
        ("bool", 1, "does not fit"),
        ("text", 5, "is no text"),
        ("text[]", "a", "is no list"),
        ("date", datetime(2024, 5, 1, 10), "has a time"),
        ("datetime", datetime(2024, 5, 1, 10, 0, 0, 5), "part of a second"),
        ("vector", [1.0], "has 1 numbers"),
        ("vector", [1.0, float("nan")], "not finite"),
        ("vector", ["a", "b"], "is no vector"),
        ("json", {1, 2}, ""),
        ("bytes", "x", "not of type bytes"),
    ],
)
def test_rejects_values_that_do_not_fit(kind: str, value: Any, message: str) -> None:
    field = Field(("f",), "f", kind, 2 if kind == "vector" else 0)
    if kind == "json":
        assert encoded({"f": [value]}, 0, Fields([field])) == {"f": "[[1, 2]]"}
        return
    with pytest.raises(FieldError, match=message) as failure:
        encoded({"f": value}, 3, Fields([field]))
    assert str(failure.value).startswith("document 3, field 'f': ")


def test_converts_values_of_pandas_and_numpy() -> None:
    assert plain(np.bool_(True)) is True
    assert plain(pd.NaT) is None
    assert plain(pd.Timestamp("2024-05-01")) == datetime(2024, 5, 1)
