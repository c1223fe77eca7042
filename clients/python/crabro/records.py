"""Texts with metadata of any form: what stores of other libraries keep in a collection.

A :class:`Record` has a text, metadata with any keys, and a vector. Every value of the metadata gets a field for its
type, so that one key can have texts in one record and numbers in another: ``meta.text.page`` and ``meta.int.page``.
Lists and dictionaries are compared by *marks*, which are texts such as ``["item","tags","sea"]``. The metadata itself
is stored as JSON, and comes back as it was.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from typing import Any, Literal, TypeAlias
from urllib.parse import unquote

from ._core import PAGE, By, Core, Match, Search
from ._fields import NESTING_MAX, Keyword, plain
from ._schema import CollectionSchema
from ._steps import Steps
from ._where import Where
from .database import Collection
from .errors import DuplicateIdError, FieldError, QueryError
from .results import Document, Hit

#: The kinds of fields for values of metadata.
KINDS = ("text", "int", "float", "bool", "time")

#: The length of a mark that is stored as it is. Longer ones are stored as a checksum.
MARK_MAX = 256

#: The length of a text of metadata that has a field of its own. Longer ones are found only if they are equal.
TEXT_MAX = 8_000

_TIME = "$crabro:time"
_DATE = "$crabro:date"
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_NOTHING: Where = {"or": []}
_EVERYTHING: Where = {"and": []}

Operator: TypeAlias = Literal[
    "==", "!=", "<", "<=", ">", ">=", "in", "not in", "contains", "not contains", "icontains", "exists", "empty"
]
_ORDERS = ("<", "<=", ">", ">=")


@dataclass(frozen=True)
class Record:
    """A text with metadata.

    :ivar extra: further values of JSON that come back, and that no condition sees
    :ivar tags: texts that :class:`Tagged` finds
    :ivar score: of the search that found it
    """

    id: str
    text: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    vector: Sequence[float] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    tags: Sequence[str] = ()
    score: float | None = None


# Conditions


@dataclass(frozen=True)
class Compare:
    """Compares the value of a key. A record without the key has the value ``None``.

    A text that is a date or a time, such as ``2024-05-01``, is ordered as a moment, in UTC if it has no zone.

    :ivar moments: whether ``==``, ``!=``, ``in`` and ``not in`` also compare such texts as moments
    """

    key: str
    operator: Operator
    value: Any
    moments: bool = False


@dataclass(frozen=True)
class Own:
    """Compares the id, the text or the vector of a record: ``id``, ``text``, ``vector``."""

    name: Literal["id", "text", "vector"]
    operator: Operator
    value: Any


@dataclass(frozen=True)
class Tagged:
    """Holds for records with one of these tags."""

    tags: Sequence[str]


@dataclass(frozen=True)
class AllOf:
    conditions: Sequence[Condition]


@dataclass(frozen=True)
class AnyOf:
    conditions: Sequence[Condition]


@dataclass(frozen=True)
class Not:
    condition: Condition


Condition: TypeAlias = "Compare | Own | Tagged | AllOf | AnyOf | Not"

_SIGNS: dict[str, Operator] = {
    "==": "==", "=": "==", "eq": "==", "!=": "!=", "ne": "!=", "<": "<", "lt": "<", "<=": "<=", "lte": "<=",
    ">": ">", "gt": ">", ">=": ">=", "gte": ">=", "in": "in", "not in": "not in", "nin": "not in",
    "contains": "contains", "not contains": "not contains", "not_contains": "not contains",
    "icontains": "icontains", "exists": "exists", "empty": "empty",
}  # fmt: skip


def condition_of(where: Where) -> Condition:
    """Return the condition for a dictionary such as ``{"page": {">": 3}, "$or": [{"tag": "a"}, {"tag": "b"}]}``.

    Operators have a ``$`` before them or not. ``and``, ``or`` and ``not`` combine conditions if their values are
    conditions.

    :raises QueryError: if the dictionary has another form
    """
    return _all([_member(key, value, 0) for key, value in _checked(where).items()])


def _checked(where: Any) -> Mapping[str, Any]:
    if not isinstance(where, Mapping) or not all(isinstance(key, str) for key in where):
        raise QueryError("a filter is a dictionary whose keys are texts", hint='such as {"page": {"$gt": 3}}')
    return where


def _member(key: str, value: Any, depth: int) -> Condition:
    if depth > NESTING_MAX:
        raise QueryError(f"the filter is nested more than {NESTING_MAX} levels deep")
    name = key.removeprefix("$")
    if name in ("and", "or") and isinstance(value, (list, tuple)):
        parts = [_all([_member(k, v, depth + 1) for k, v in _checked(each).items()]) for each in value]
        return AllOf(parts) if name == "and" else AnyOf(parts)
    if name == "not" and isinstance(value, Mapping):
        return Not(_all([_member(k, v, depth + 1) for k, v in _checked(value).items()]))
    if key.startswith("$"):
        raise QueryError(f"unknown operator {key!r} of conditions", hint="the operators are $and, $or and $not")
    compared = value if isinstance(value, Mapping) else {"==": value}
    if not compared:
        raise QueryError("the comparison is empty", place=key)
    parts = []
    for sign, operand in compared.items():
        operator = _SIGNS.get(str(sign).removeprefix("$"))
        if operator is None:
            raise QueryError(f"unknown operator {sign!r}", place=key, hint=f"the operators are {', '.join(_SIGNS)}")
        parts.append(Compare(key, operator, operand))
    return _all(parts)


def _all(parts: Sequence[Condition]) -> Condition:
    return parts[0] if len(parts) == 1 else AllOf(parts)


# Writing and reading


def moment(text: str) -> int | None:
    """Return the microseconds since 1970 of a date or time in ISO 8601, or None. Without a zone it is UTC."""
    if not (len(text) >= 10 and text[:4].isdigit() and text[4] == "-" and text[7] == "-" and len(text) <= 40):
        return None
    try:
        # Python 3.10 does not read the sign for UTC.
        parsed = datetime.fromisoformat(text[:-1] + "+00:00" if text[-1] in "Zz" else text)
    except ValueError:
        return None
    return _micros(parsed)


def _micros(value: date) -> int:
    if not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    since = (value if value.tzinfo else value.replace(tzinfo=timezone.utc)) - _EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def _jsonable(value: Any, place: str, depth: int = 0) -> Any:
    """Return a value of metadata as one of JSON."""
    value = plain(value)
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, datetime):
        return {_TIME: value.isoformat()}
    if isinstance(value, date):
        return {_DATE: value.isoformat()}
    if depth >= NESTING_MAX:
        raise FieldError(f"metadata is nested more than {NESTING_MAX} levels deep", place=place)
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise FieldError("the keys of metadata are texts", place=place)
        if _TIME in value or _DATE in value:
            raise FieldError(f"the keys {_TIME!r} and {_DATE!r} are reserved", place=place)
        return {key: _jsonable(each, f"{place}.{key}", depth + 1) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_jsonable(each, place, depth + 1) for each in value]
    if type(value).__module__.partition(".")[0] == "numpy":
        return value.tolist()
    raise FieldError(
        f"metadata cannot have a value of type {type(value).__name__}",
        place=place,
        hint="the types are str, int, float, bool, None, date, datetime, list and dict",
    )


def _restored(value: Any) -> Any:
    if isinstance(value, dict):
        if len(value) == 1:
            if isinstance(value.get(_TIME), str):
                return datetime.fromisoformat(value[_TIME])
            if isinstance(value.get(_DATE), str):
                return date.fromisoformat(value[_DATE])
        return {key: _restored(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_restored(each) for each in value]
    return value


def _same(value: Any) -> Any:
    """Return equal values of JSON for equal values of Python: 1 for 1.0."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {key: _same(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_same(each) for each in value]
    return value


def _mark(*parts: Any) -> str:
    text = json.dumps(parts, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    if len(text) <= MARK_MAX:
        return text
    return f"{parts[0]}#{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _tag(text: str) -> str:
    return _mark("tag", text)


def _flat(metadata: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Return keys and values; a value in a dictionary has the key ``outer.inner``."""
    stack: list[tuple[str, Mapping[str, Any]]] = [("", metadata)]
    while stack:
        prefix, level = stack.pop()
        for key, given in level.items():
            value = plain(given)
            yield prefix + key, value
            if isinstance(value, Mapping):
                stack.append((f"{prefix}{key}.", value))


class _Index:
    """The fields and marks of the metadata of one record."""

    def __init__(self) -> None:
        self.fields: dict[str, dict[str, Any]] = {}
        self.marks: dict[str, None] = {}

    def add(self, key: str, value: Any) -> None:
        if value is None:
            return
        if isinstance(value, bool):
            self._field("bool", key, value)
        elif isinstance(value, int):
            self._field("int", key, value)
        elif isinstance(value, float) and not math.isnan(value):
            self._field("float", key, value)
        elif isinstance(value, date):
            self._field("time", key, _micros(value))
        elif isinstance(value, str) and value:
            self._text(key, value)
        else:
            self.marks[_mark("has", key)] = None
            if isinstance(value, str):
                self.marks[_mark("blank", key)] = None
            elif isinstance(value, (list, tuple, Mapping)):
                self._several(key, _jsonable(value, key))

    def _text(self, key: str, value: str) -> None:
        if len(value) <= TEXT_MAX:
            self._field("text", key, Keyword(value))
        else:
            self.marks[_mark("has", key)] = None
            self.marks[_mark("value", key, value)] = None
        micros = moment(value)
        if micros is not None:
            self._field("time", key, micros)

    def _several(self, key: str, value: Any) -> None:
        self.marks[_mark("value", key, _same(value))] = None
        if not value:
            self.marks[_mark("empty", key)] = None
        elif isinstance(value, list):
            for each in value:
                self.marks[_mark("item", key, _same(each))] = None

    def _field(self, kind: str, key: str, value: Any) -> None:
        self.fields.setdefault(kind, {})[key] = value


def _written(record: Record, filter_keys: frozenset[str] | None) -> dict[str, Any]:
    place = f"record {record.id!r}"
    data = {
        "metadata": _jsonable(record.metadata, place),
        "extra": dict(record.extra),
        "has_text": record.text is not None,
    }
    index = _Index()
    for key, value in _flat(record.metadata):
        if filter_keys is None or key in filter_keys:
            index.add(key, value)
    for tag in record.tags:
        index.marks[_tag(tag)] = None
    try:
        encoded = json.dumps(data, ensure_ascii=False).encode()
    except (TypeError, ValueError, RecursionError) as e:
        raise FieldError(f"the record cannot be stored: {e}", place=place) from e
    return {
        "id": record.id,
        "text": record.text or None,
        "data": encoded,
        "vector": list(record.vector) if record.vector is not None else None,
        "marks": list(index.marks) or None,
        "meta": index.fields or None,
    }


def _read(document: Document) -> Record:
    try:
        data = json.loads(document["data"])
        text = document.get("text", "" if data["has_text"] else None)
        metadata, extra = _restored(data["metadata"]), data["extra"]
    except (KeyError, TypeError, ValueError, RecursionError) as e:
        raise FieldError(
            "the document is no record",
            place=f"id {document.id!r}",
            hint="a store of records needs a collection of its own",
        ) from e
    score = document.score if isinstance(document, Hit) else None
    return Record(document.id, text, metadata, document.vector, extra, (), score)


# Compiling


class _Compiler:
    """Makes conditions on records into conditions on the fields of their collection."""

    def __init__(self, schema: CollectionSchema | None) -> None:
        self._schema = schema
        self.unknown: set[str] = set()

    def compile(self, condition: Condition, depth: int = 0) -> Where:
        if depth > NESTING_MAX:
            raise QueryError(f"the condition is nested more than {NESTING_MAX} levels deep")
        if isinstance(condition, AllOf):
            return {"and": [self.compile(each, depth + 1) for each in condition.conditions]}
        if isinstance(condition, AnyOf):
            return {"or": [self.compile(each, depth + 1) for each in condition.conditions]}
        if isinstance(condition, Not):
            return {"not": self.compile(condition.condition, depth + 1)}
        if isinstance(condition, Tagged):
            return _any([self._marked(_tag(tag)) for tag in condition.tags])
        if isinstance(condition, Own):
            return self._own(condition)
        return self._compare(condition)

    def _name(self, *path: str) -> str | None:
        found = self._schema.fields.at(path) if self._schema is not None else None
        return found.name if found is not None else None

    def _names(self, key: str) -> dict[str, str]:
        names = {}
        for kind in KINDS:
            name = self._name("meta", kind, key)
            if name is not None:
                names[kind] = name
        if not names:
            self.unknown.add(key)
        return names

    def _marked(self, mark: str) -> Where:
        name = self._name("marks")
        return {name: {"contains": mark}} if name is not None else _NOTHING

    def _own(self, condition: Own) -> Where:
        if condition.name == "id":
            operator = condition.operator
            value = condition.value
            if value is None or operator in ("exists", "empty"):
                return _EVERYTHING if (operator in ("!=", "exists")) else _NOTHING
            return {"id": {operator: value}}
        name = self._name(condition.name)
        if name is None:
            missing = condition.operator in ("!=", "not in", "not contains")
            if condition.value is None:
                missing = condition.operator == "=="
            return _EVERYTHING if missing or condition.operator == "empty" else _NOTHING
        if condition.value is None and condition.operator in _ORDERS:
            return _NOTHING
        if condition.name == "vector" and condition.value is not None and condition.operator != "exists":
            raise QueryError("a vector can be compared with None only")
        return {name: {condition.operator: condition.value}}

    def _compare(self, condition: Compare) -> Where:
        key, operator, value = condition.key, condition.operator, plain(condition.value)
        if operator == "==":
            return self._equal(key, value, condition.moments)
        if operator == "!=":
            return {"not": self._equal(key, value, condition.moments)}
        if operator in ("in", "not in"):
            if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
                raise QueryError(f"{operator!r} has a list of values", place=key)
            found = _any([self._equal(key, plain(each), condition.moments) for each in value])
            return found if operator == "in" else {"not": found}
        if operator in ("contains", "not contains", "icontains"):
            inside = self._contains(key, value, "icontains" if operator == "icontains" else "contains")
            return {"not": inside} if operator == "not contains" else inside
        if operator == "exists":
            if not isinstance(value, bool):
                raise QueryError("'exists' is compared with True or False", place=key)
            return self._exists(key) if value else {"not": self._exists(key)}
        if operator == "empty":
            blank = [self._marked(_mark("blank", key)), self._marked(_mark("empty", key))]
            return _any([{"not": self._exists(key)}, *blank])
        if operator in _ORDERS:
            return self._ordered(key, operator, value)
        raise QueryError(f"unknown operator {operator!r}", place=key)

    def _exists(self, key: str) -> Where:
        fields: list[Where] = [{name: {"exists": True}} for name in self._names(key).values()]
        return _any([*fields, self._marked(_mark("has", key))])

    def _equal(self, key: str, value: Any, moments: bool) -> Where:
        if value is None:
            return {"not": self._exists(key)}
        names = self._names(key)
        if isinstance(value, bool):
            return {names["bool"]: value} if "bool" in names else _NOTHING
        if isinstance(value, (int, float)):
            return self._numbers(names, "==", value)
        if isinstance(value, date):
            return {names["time"]: _micros(value)} if "time" in names else _NOTHING
        if isinstance(value, str):
            if not value:
                return self._marked(_mark("blank", key))
            found: list[Where] = [{names["text"]: value}] if "text" in names and len(value) <= TEXT_MAX else []
            if len(value) > TEXT_MAX:
                found.append(self._marked(_mark("value", key, value)))
            micros = moment(value) if moments else None
            if micros is not None and "time" in names:
                found.append({names["time"]: micros})
            return _any(found)
        if isinstance(value, (list, tuple, Mapping)):
            return self._marked(_mark("value", key, _same(_jsonable(value, key))))
        raise QueryError(f"a value of type {type(value).__name__} cannot be compared", place=key)

    def _numbers(self, names: Mapping[str, str], operator: str, value: float) -> Where:
        if isinstance(value, float) and not math.isfinite(value):
            raise QueryError(f"{value} cannot be compared with")
        found: list[Where] = [{names[kind]: {operator: value}} for kind in ("int", "float") if kind in names]
        return _any(found)

    def _ordered(self, key: str, operator: Operator, value: Any) -> Where:
        names = self._names(key)
        if value is None:
            return _NOTHING
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return self._numbers(names, operator, value)
        micros = _micros(value) if isinstance(value, date) else moment(value) if isinstance(value, str) else None
        if micros is not None:
            return {names["time"]: {operator: micros}} if "time" in names else _NOTHING
        if isinstance(value, str):
            return {names["text"]: {operator: value}} if "text" in names else _NOTHING
        raise QueryError(f"a value of type {type(value).__name__} has no order", place=key)

    def _contains(self, key: str, value: Any, operator: str) -> Where:
        names = self._names(key)
        found = [self._marked(_mark("item", key, _same(_jsonable(value, key))))]
        if isinstance(value, str) and "text" in names:
            found.append({names["text"]: {operator: value}})
        return _any(found)


def _any(parts: Sequence[Where]) -> Where:
    return parts[0] if len(parts) == 1 else {"or": list(parts)}


def _where(core: Core, condition: Condition | None) -> Steps[Where | None]:
    """Return the condition for the fields of a collection."""
    if condition is None:
        return None
    compiler = _Compiler((yield from core.schema()))
    where = compiler.compile(condition)
    if compiler.unknown:
        # Another program may have written the first record with this key.
        core.forget()
        where = _Compiler((yield from core.schema())).compile(condition)
    return where


# Operations


class Records:
    """The records of a collection. Can be used by several threads.

    :param filter_keys: the keys of metadata that conditions can name; by default all
    """

    def __init__(self, collection: Collection, filter_keys: Iterable[str] | None = None) -> None:
        self._core = collection._core.with_kinds({"vector": "vector", "marks": "keyword[]", "data": "bytes"})
        self._runner = collection._runner
        self._collection = Collection(self._runner, self._core)
        self._filter_keys = frozenset(filter_keys) if filter_keys is not None else None

    def put(self, records: Iterable[Record], *, is_new: bool = False) -> list[str]:
        """Store records, and return their ids.

        :param is_new: whether records with an id that exists are refused instead of replaced
        :raises DuplicateIdError: if ``is_new`` and an id exists; the others are stored
        """
        documents = [_written(each, self._filter_keys) for each in records]
        if not documents:
            return []
        return self._collection.add(documents) if is_new else self._collection.upsert(documents)

    def put_new(self, records: Iterable[Record]) -> int:
        """Store the records whose ids do not exist, and return their number."""
        first = {each.id: each for each in reversed(list(records))}
        try:
            return len(self.put(reversed(list(first.values())), is_new=True))
        except DuplicateIdError as e:
            return e.written

    def get(self, ids: Sequence[str], *, vectors: bool = False) -> list[Record]:
        """Return the records with these ids that exist, in their order."""
        return [_read(each) for each in self._collection.get(list(ids), include_vectors=vectors)]

    def existing(self, ids: Sequence[str]) -> set[str]:
        """Return the ids that exist."""
        return {key for key, exists in zip(ids, self._collection.exists(list(ids)), strict=True) if exists}

    def delete(self, ids: Sequence[str]) -> int:
        """Remove records, and return how many existed."""
        return self._collection.delete(list(ids)) if ids else 0

    def delete_where(self, condition: Condition) -> int:
        """Remove the records that meet a condition, and return their number."""

        def steps() -> Steps[int]:
            where = yield from _where(self._core, condition)
            return (yield from self._core.delete(None, {"and": [where]}))

        return self._runner.run(steps())

    def clear(self) -> int:
        """Remove all records of the group, and return their number."""
        return self._collection.clear()

    def count(self, condition: Condition | None = None) -> int:
        """Count the records that meet a condition."""

        def steps() -> Steps[int]:
            where = yield from _where(self._core, condition)
            return (yield from self._core.count(where, 60.0))

        return self._runner.run(steps())

    def scan(self, condition: Condition | None = None, *, vectors: bool = False) -> Iterator[Record]:
        """Return the records that meet a condition, in no particular order."""
        where = self._runner.run(_where(self._core, condition))
        for document in self._collection.scan(where, include_vectors=vectors, batch_size=PAGE):
            yield _read(document)

    def keys(self) -> dict[str, set[str]]:
        """Return the keys of metadata that have fields, with the kinds of these fields."""
        self._core.forget()
        schema = self._runner.run(self._core.schema())
        found: dict[str, set[str]] = {}
        for each in schema.fields if schema is not None else ():
            if len(each.path) == 3 and each.path[0] == "meta":
                found.setdefault(each.path[2], set()).add(each.path[1])
        return found

    def search(
        self,
        words: str | None = None,
        *,
        vector: Sequence[float] | None = None,
        by: By,
        condition: Condition | None = None,
        limit: int = 10,
        match: Match = "any",
        min_score: float | None = None,
        diversity: float | None = None,
        candidates: int | None = None,
        vectors: bool = False,
    ) -> list[Record]:
        """Return the best records by words, by a vector, or by both. The parameters are those of ``search``."""
        if limit < 1:
            return []

        def steps() -> Steps[list[Record]]:
            where = yield from _where(self._core, condition)
            schema = yield from self._core.schema()
            has_vectors = schema is not None and schema.fields.at(("vector",)) is not None
            wanted: By = by if has_vectors or by == "words" else "words"
            if schema is None or (by == "vector" and not has_vectors) or (wanted == "words" and words is None):
                return []
            asked = Search(
                words=words,
                where=where,
                limit=limit,
                vector=vector if wanted != "words" else None,
                vector_field="vector" if wanted != "words" else None,
                by=wanted,
                match=match,
                include_vectors=vectors,
                min_score=min_score,
                diversity=diversity if wanted != "words" else None,
                candidates=candidates if wanted != "words" and diversity is not None else None,
                only=("text", "data", "vector"),
            )
            result = yield from self._core.search(asked)
            return [_read(each) for each in result]

        return self._runner.run(steps())


def group_of(text: str) -> str:
    """Return the name of a group for any text. Colons, commas and the empty text have another form there."""
    return "".join(f"%{ord(c):02X}" if c in "%:," or ord(c) < 0x20 else c for c in text) or "%"


def text_of(group: str) -> str:
    """Return the text that :func:`group_of` made a name of."""
    return "" if group == "%" else unquote(group)
