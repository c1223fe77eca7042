"""Conditions: dictionaries become selections of the server.

Values never become a part of the language: a text is a literal in quotes whose quotes and backslashes are escaped,
a number is written digit by digit, and names come from the schema alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any, TypeAlias

from ._fields import Field, Fields, period, plain, to_number
from .errors import FieldError, QueryError

Where: TypeAlias = Mapping[str, Any]

#: The deepest nesting of ``and``, ``or`` and ``not``.
DEPTH_MAX = 50

#: The number of conditions and values in a condition.
PARTS_MAX = 10_000

_OPERATORS = {
    "==": "==", "=": "==", "eq": "==", "$eq": "==",
    "!=": "!=", "ne": "!=", "$ne": "!=",
    "<": "<", "lt": "<", "$lt": "<",
    "<=": "<=", "lte": "<=", "$lte": "<=",
    ">": ">", "gt": ">", "$gt": ">",
    ">=": ">=", "gte": ">=", "$gte": ">=",
    "in": "in", "$in": "in",
    "not in": "not in", "nin": "not in", "$nin": "not in",
    "contains": "contains", "$contains": "contains",
    "not contains": "not contains", "$not_contains": "not contains",
    "icontains": "icontains", "$icontains": "icontains",
    "exists": "exists", "$exists": "exists",
}  # fmt: skip
_AND = ("and", "$and")
_OR = ("or", "$or")
_NOT = ("not", "$not")

#: The comparisons that do not hold for documents without a value.
_OF_VALUES = ("<", "<=", ">", ">=", "contains", "icontains")
_OF_ELEMENTS = ("==", "in")
_NUMBERS = ("int", "float", "bool", "date", "datetime", "datetime_us")
_SPECIAL = frozenset("\\.+*?()|[]{}^$")


def literal(text: str) -> str:
    """Return a text as a literal of a selection."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(f"\\x{ord(c):02x}" if ord(c) < 0x20 else c for c in escaped) + '"'


def number(value: int | float) -> str:
    """Return a number as a literal of a selection."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise QueryError(f"{value} is no whole number of 64 bits")
        return str(value)
    if not math.isfinite(value):
        raise QueryError(f"{value} cannot be compared with", hint="use {'exists': False} for missing values")
    digits = format(Decimal(repr(value)), "f")
    return digits if "." in digits else digits + ".0"


def _pattern(text: str) -> str:
    return "".join("\\" + c if c in _SPECIAL else c for c in text)


class _Compiler:
    def __init__(self, type_name: str, fields: Fields) -> None:
        self._type = type_name
        self._fields = fields
        self._parts = 0
        self._negations = 0

    def condition(self, where: Where, depth: int = 0) -> str:
        if depth > DEPTH_MAX:
            raise QueryError(f"the condition is nested more than {DEPTH_MAX} levels deep")
        if not isinstance(where, Mapping):
            raise QueryError(
                f"a condition is a dictionary, and not {type(where).__name__}",
                hint="write where={'price': {'<': 10}}, or {'or': [{…}, {…}]}",
            )
        parts = []
        for key, value in where.items():
            self._count()
            if not isinstance(key, str):
                raise QueryError(f"the names of a condition are texts, and not {type(key).__name__}")
            if key in _AND or key in _OR:
                parts.append(self._several(" and " if key in _AND else " or ", key, value, depth))
            elif key in _NOT:
                self._negations += 1
                parts.append(f"not ({self.condition(value, depth + 1)})")
                self._negations -= 1
            else:
                parts.append(self._of_field(key, value))
        return " and ".join(f"({part})" for part in parts) if parts else "true"

    def _count(self) -> None:
        self._parts += 1
        if self._parts > PARTS_MAX:
            raise QueryError(f"the condition has more than {PARTS_MAX} parts and values")

    def _several(self, sign: str, key: str, value: Any, depth: int) -> str:
        if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
            raise QueryError(f"{key!r} has a list of conditions", hint="write {'" + key + "': [{…}, {…}]}")
        parts = [f"({self.condition(each, depth + 1)})" for each in value]
        return sign.join(parts) if parts else ("true" if key in _AND else "false")

    def _of_field(self, key: str, value: Any) -> str:
        compared = value if isinstance(value, Mapping) else {"==": value}
        if key == "id" and self._fields.find("id") is None:
            name, field = "id.specific", Field(("id",), "id", "keyword")
        else:
            field = self._fields.get(key)
            name = f"{self._type}.{field.name}"
        if not compared:
            raise QueryError("the comparison is empty", place=key, hint="write {'price': {'<': 10}}")
        parts = []
        for written, operand in compared.items():
            operator = _OPERATORS.get(written)
            if operator is None:
                raise QueryError(
                    f"unknown operator {written!r}",
                    place=key,
                    hint="the operators are ==, !=, <, <=, >, >=, in, not in, contains, not contains, icontains,"
                    " exists",
                )
            self._count()
            try:
                part = self._compared(name, field, operator, plain(operand))
            except FieldError as e:
                raise QueryError(e.message, place=key, hint=e.hint) from e
            is_of_value = operator in _OF_VALUES or (field.is_list and operator in _OF_ELEMENTS)
            if self._negations and is_of_value and operand is not None:
                # Without a value such a comparison is neither true nor false, and its negation would not hold.
                part = f"{name} != null and ({part})"
            parts.append(part)
        return " and ".join(f"({part})" for part in parts)

    def _compared(self, name: str, field: Field, operator: str, operand: Any) -> str:
        if operator == "exists":
            if not isinstance(operand, bool):
                raise QueryError("'exists' is compared with True or False", place=field.shown)
            return f"{name} {'!=' if operand else '=='} null"
        if operator in ("in", "not in"):
            if isinstance(operand, (str, bytes, Mapping)) or not isinstance(operand, Iterable):
                raise QueryError(f"{operator!r} has a list of values", place=field.shown)
            values = []
            for each in operand:
                self._count()
                values.append(f"({self._compared(name, field, '==', plain(each))})")
            any_of = " or ".join(values) if values else "false"
            return any_of if operator == "in" else f"not ({any_of})"
        if operator == "icontains":
            if field.kind not in ("text", "keyword", "json") or not isinstance(operand, str):
                raise QueryError("'icontains' is for a text in texts", place=field.shown)
            return f"{name} =~ {literal('(?is)' + _pattern(operand))}"
        if operator in ("contains", "not contains"):
            inside = self._contained(name, field, operand)
            # A document without a value contains nothing.
            return inside if operator == "contains" else f"{name} == null or not ({inside})"
        if operand is None:
            if operator not in ("==", "!="):
                raise QueryError(f"None has no order, so {operator!r} has no meaning", place=field.shown)
            return f"{name} {operator} null"
        if field.kind in ("vector", "json", "bytes"):
            raise QueryError(f"a field of kind {field.kind!r} cannot be compared", place=field.shown)
        if operator == "!=":
            # Of a list: no element is equal. A document without a value is different, too.
            return f"not ({self._compared(name, field, '==', operand)})"
        if field.element in ("date", "datetime", "datetime_us") and isinstance(operand, str):
            return self._in_period(name, field, operator, operand)
        return f"{name} {operator} {self._value(field, operand)}"

    def _contained(self, name: str, field: Field, operand: Any) -> str:
        if field.is_list:
            return self._compared(name, field, "==", operand)
        if field.kind not in ("text", "keyword", "json"):
            raise QueryError("'contains' is for texts and lists", place=field.shown, hint="use '=='")
        if not isinstance(operand, str):
            raise QueryError("a text contains texts only", place=field.shown)
        return f"{name} =~ {literal('(?s)' + _pattern(operand))}" if operand else f"{name} != null"

    def _in_period(self, name: str, field: Field, operator: str, operand: str) -> str:
        begin, end = period(operand, field.shown)
        scale = 1_000_000 if field.element == "datetime_us" else 1
        from_, to = number(begin * scale), number(end * scale)
        if operator == "==" and begin != end:
            if field.is_list:
                raise QueryError("a list is compared with whole dates, not with periods", place=field.shown)
            return f"{name} >= {from_} and {name} < {to}"
        return f"{name} {operator} {from_}"

    def _value(self, field: Field, operand: Any) -> str:
        if field.element in _NUMBERS:
            if isinstance(operand, (date, datetime)) or field.element not in ("int", "float"):
                return number(to_number(operand, field))
            if isinstance(operand, (int, float)) and not isinstance(operand, bool):
                return number(operand)
            raise QueryError(f"{operand!r} is no number", place=field.shown)
        if not isinstance(operand, str):
            raise QueryError(f"the field has texts, and {operand!r} is a {type(operand).__name__}", place=field.shown)
        return literal(operand)


def selection(where: Where | None, type_name: str, fields: Fields) -> str | None:
    """Return the selection of a condition, or None for all documents."""
    if not where:
        return None
    return _Compiler(type_name, fields).condition(where)


def in_group(condition: str | None, group: str) -> str:
    """Return a selection of the documents of a group that meet a condition."""
    here = f"id.group == {literal(group)}"
    return here if condition is None else f"{here} and ({condition})"
