"""Filters of Haystack as conditions on records."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from haystack.errors import FilterError

from crabro.records import AllOf, AnyOf, Compare, Condition, Not, Operator, Own, Tagged, moment

_OPERATORS: dict[str, Operator] = {
    "==": "==", "!=": "!=", ">": ">", ">=": ">=", "<": "<", "<=": "<=", "in": "in", "not in": "not in",
}  # fmt: skip
_ORDERS = (">", ">=", "<", "<=")

#: The deepest nesting of a filter.
DEPTH_MAX = 12


def condition(filters: dict[str, Any] | None) -> Condition | None:
    """Return the condition of a filter, or None for all documents.

    :raises FilterError: if the filter has another form
    """
    return _condition(filters, 0) if filters else None


def _condition(filters: Any, depth: int) -> Condition:
    if depth > DEPTH_MAX:
        raise FilterError(f"the filter is nested more than {DEPTH_MAX} levels deep")
    if not isinstance(filters, dict):
        raise FilterError(f"a filter is a dictionary, and not {type(filters).__name__}")
    if "operator" not in filters:
        raise FilterError(f"'operator' is missing in {filters}")
    operator = filters["operator"]
    if "field" in filters:
        return _comparison(filters["field"], operator, filters)
    if "conditions" not in filters:
        raise FilterError(f"'conditions' is missing in {filters}")
    if not isinstance(filters["conditions"], list):
        raise FilterError(f"'conditions' is a list, and not {type(filters['conditions']).__name__}")
    parts = [_condition(each, depth + 1) for each in filters["conditions"]]
    if operator == "AND":
        return AllOf(parts)
    if operator == "OR":
        return AnyOf(parts)
    if operator == "NOT":
        return Not(AllOf(parts))
    raise FilterError(f"unknown operator {operator!r} of conditions; the operators are AND, OR and NOT")


def _comparison(field: Any, written: Any, filters: dict[str, Any]) -> Condition:
    if "value" not in filters:
        raise FilterError(f"'value' is missing in {filters}")
    value = filters["value"]
    operator = _OPERATORS.get(written) if isinstance(written, str) else None
    if operator is None:
        raise FilterError(f"unknown operator {written!r}; the operators are {', '.join(_OPERATORS)}")
    if not isinstance(field, str):
        raise FilterError(f"'field' is a text, and not {type(field).__name__}")
    if operator in _ORDERS and value is not None:
        _check_ordered(value, operator)
    if operator in ("in", "not in") and not isinstance(value, list):
        raise FilterError(f"{operator!r} has a list of values, and not {type(value).__name__}")
    if field == "id":
        return Own("id", operator, value)
    if field == "content":
        return Own("text", operator, value)
    if field in ("embedding", "blob", "sparse_embedding", "score"):
        return _presence(field, operator, value)
    # Filters of Haystack 1 have no "meta." before the name.
    return Compare(field.removeprefix("meta."), operator, value, moments=True)


def _check_ordered(value: Any, operator: str) -> None:
    if isinstance(value, str) and moment(value) is None:
        raise FilterError(f"{operator!r} compares texts only if they are dates of ISO 8601, and {value!r} is none")
    if not isinstance(value, (str, int, float, datetime)):
        raise FilterError(f"a value of type {type(value).__name__} has no order for {operator!r}")


def _presence(field: str, operator: str, value: Any) -> Condition:
    if value is not None or operator not in ("==", "!="):
        raise FilterError(f"{field!r} can be compared with None only, by == and !=")
    present: Condition = Own("vector", "exists", True) if field == "embedding" else Tagged([field])
    return Not(present) if operator == "==" else present
