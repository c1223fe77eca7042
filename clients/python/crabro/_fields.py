"""Fields: their kinds, how they are derived from documents, and how values are written and read.

A kind is one of ``text``, ``keyword``, ``int``, ``float``, ``bool``, ``date``, ``datetime``, ``datetime_us``,
``bytes``, ``vector`` and ``json``. Most of them followed by ``[]`` are lists.
"""

from __future__ import annotations

import base64
import calendar
import difflib
import enum
import json
import math
import re
import unicodedata
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from pathlib import PurePath
from typing import Any

from .errors import FieldError, QueryError, SchemaError

#: The number of fields of a collection.
FIELDS_MAX = 500

#: How deep dictionaries in a document can be nested.
NESTING_MAX = 16

#: The length of a name that is made of keys, before a number that makes it different from others.
NAME_MAX = 80

#: From this length on, lists of numbers with fractions that all have the same length are vectors.
VECTOR_MIN = 16

#: The largest number of cells of a vector.
VECTOR_MAX = 65_536

SCALARS = ("text", "keyword", "int", "float", "bool", "date", "datetime", "datetime_us", "bytes", "vector", "json")
LISTS = ("text[]", "keyword[]", "int[]", "float[]", "bool[]", "date[]", "datetime[]", "datetime_us[]")
KINDS = SCALARS + LISTS

#: The type of the schema for each kind; vectors have their size too.
SCHEMA_TYPES = {
    "text": "string",
    "keyword": "string",
    "json": "string",
    "int": "long",
    "float": "double",
    "bool": "bool",
    "date": "long",
    "datetime": "long",
    "datetime_us": "long",
    "bytes": "raw",
}

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_EPOCH_DAY = _EPOCH.date().toordinal()
_RESERVED = frozenset(
    [
        "and",
        "as",
        "asc",
        "by",
        "case",
        "contains",
        "desc",
        "documentid",
        "else",
        "false",
        "from",
        "host",
        "if",
        "in",
        "index_url",
        "limit",
        "matches",
        "not",
        "offset",
        "or",
        "order",
        "position",
        "range",
        "rank",
        "relevancy",
        "sddocname",
        "select",
        "select_input",
        "sources",
        "split_foreach",
        "switch",
        "timeout",
        "tokenize",
        "true",
        "where",
    ]
)
_PERIOD = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(Z|[+-]\d\d:?\d\d)?)?)?)?", re.ASCII
)


class Keyword(str):
    """A text whose new field has the kind ``keyword``."""

    __slots__ = ()


@dataclass(frozen=True)
class Field:
    """A field of a collection.

    :ivar path: the keys of the value in a document
    :ivar name: the name in the schema
    :ivar kind: one of :data:`KINDS`
    :ivar size: the cells of a vector, otherwise 0
    """

    path: tuple[str, ...]
    name: str
    kind: str
    size: int = 0

    @property
    def is_list(self) -> bool:
        return self.kind.endswith("[]")

    @property
    def element(self) -> str:
        return self.kind.removesuffix("[]")

    @property
    def shown(self) -> str:
        return ".".join(self.path)

    @property
    def is_words(self) -> bool:
        """Whether words without a field search this one."""
        return self.element == "text" or self.kind == "json"

    def schema_type(self) -> str:
        if self.kind == "vector":
            return f"tensor<float>(x[{self.size}])"
        single = SCHEMA_TYPES[self.element]
        return f"array<{single}>" if self.is_list else single


class Fields:
    """The fields of a collection, by their paths. Immutable."""

    def __init__(self, fields: Iterable[Field] = ()) -> None:
        self._by_path = {field.path: field for field in fields}
        self._by_name = {field.name: field for field in self._by_path.values()}

    def __iter__(self) -> Iterator[Field]:
        return iter(self._by_path.values())

    def __len__(self) -> int:
        return len(self._by_path)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fields) and self._by_path == other._by_path

    def __hash__(self) -> int:
        return hash(tuple(self._by_path))

    def at(self, path: tuple[str, ...]) -> Field | None:
        return self._by_path.get(path)

    def named(self, name: str) -> Field | None:
        """Return the field with a name of the schema."""
        return self._by_name.get(name)

    def find(self, key: str) -> Field | None:
        """Return the field for a key such as ``price`` or ``address.city``."""
        return self._by_path.get((key,)) or self._by_path.get(tuple(key.split("."))) or self._by_name.get(key)

    def get(self, key: str) -> Field:
        """Return the field for a key.

        :raises QueryError: if there is none; it names a similar one
        """
        field = self.find(key)
        if field is None:
            names = [each.shown for each in self]
            near = difflib.get_close_matches(key, names, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"the fields are {', '.join(sorted(names)) or 'none yet'}"
            raise QueryError(f"there is no field {key!r}", hint=hint)
        return field

    def words(self) -> list[Field]:
        return [field for field in self if field.is_words]

    def vectors(self) -> list[Field]:
        return [field for field in self if field.kind == "vector"]

    def with_added(self, added: Iterable[Field]) -> Fields:
        return Fields([*self, *added])

    def free_name(self, path: Sequence[str]) -> str:
        """Return a name of the schema for a path that no field has."""
        joined = "_".join(filter(None, (simple(part) for part in path)))
        base = joined[:NAME_MAX].rstrip("_") or "field"
        if base.lower() in _RESERVED:
            base += "_field"
        taken = {name.lower() for name in self._by_name}
        name = base
        number = 2
        while name.lower() in taken:
            name = f"{base}_{number}"
            number += 1
        return name


def simple(given: str) -> str:
    """Return a text with ASCII letters, digits and single underscores between them."""
    plain_text = "".join(
        c for c in unicodedata.normalize("NFKD", given.replace("ß", "ss")) if not unicodedata.combining(c)
    )
    text = re.sub(r"[^A-Za-z0-9]+", "_", plain_text).strip("_")
    return f"f_{text}" if text[:1].isdigit() else text


def plain(value: Any) -> Any:
    """Return a value of Python itself for one of NumPy, pandas or a subclass."""
    module = type(value).__module__.partition(".")[0]
    if module == "numpy":
        if getattr(value, "ndim", 0) == 0:
            return plain(value.item())
        return value
    if module == "pandas":
        if type(value).__name__ in ("NAType", "NaTType"):
            return None
        if isinstance(value, datetime):
            if getattr(value, "nanosecond", 0):
                raise FieldError(f"{value} has nanoseconds", hint="round it to microseconds: value.round('us')")
            return value.to_pydatetime()  # type: ignore[attr-defined]
    if isinstance(value, enum.Enum):
        return plain(value.value)
    if isinstance(value, (uuid.UUID, PurePath)):
        return str(value)
    return value


def _is_array(value: Any) -> bool:
    return type(value).__module__.partition(".")[0] == "numpy"


@dataclass
class _Seen:
    """What was seen of the values of a path."""

    kind: str | None = None
    lengths: set[int] | None = None
    is_array: bool = False
    place: str = ""


_WIDER = {
    frozenset(("int", "float")): "float",
    frozenset(("date", "datetime")): "datetime",
    frozenset(("date", "datetime_us")): "datetime_us",
    frozenset(("datetime", "datetime_us")): "datetime_us",
}


def _wider(a: str, b: str) -> str | None:
    if a == b:
        return a
    if a.endswith("[]") != b.endswith("[]"):
        return None
    suffix = "[]" if a.endswith("[]") else ""
    kind = _WIDER.get(frozenset((a.removesuffix("[]"), b.removesuffix("[]"))))
    return None if kind is None else kind + suffix


def _scalar_kind(value: Any, place: str) -> str:
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int"
    if isinstance(value, float):
        return "float"
    if isinstance(value, str):
        return "keyword" if isinstance(value, Keyword) else "text"
    if isinstance(value, datetime):
        return "datetime_us" if value.microsecond else "datetime"
    if isinstance(value, date):
        return "date"
    if isinstance(value, (bytes, bytearray, memoryview)):
        return "bytes"
    hint = {Decimal: "convert it with float() or str()", time: "store it as text", timedelta: "store its seconds"}
    raise FieldError(
        f"a value of type {type(value).__name__} cannot be stored",
        place=place,
        hint=hint.get(type(value), "the types are str, int, float, bool, date, datetime, bytes, list, dict, vectors"),
    )


def _list_kind(value: Sequence[Any], place: str) -> str | None:
    kind: str | None = None
    for each in value:
        element = plain(each)
        if element is None:
            raise FieldError("a list has None in it", place=place, hint="leave it out, or use fields={…: 'json'}")
        if isinstance(element, (Mapping, list, tuple, set, frozenset)) or _is_array(element):
            return "json"
        found = _scalar_kind(element, place) + "[]"
        wider = found if kind is None else _wider(kind, found)
        if wider is None or found == "bytes[]":
            return "json" if found != "bytes[]" else _no_bytes(place)
        kind = wider
    return kind


def _no_bytes(place: str) -> str:
    raise FieldError("lists of bytes cannot be stored", place=place, hint="store each in a field of its own")


def flat(document: Mapping[str, Any], index: int, fields: Fields) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Return the paths and values of a document that have a value."""
    stack: list[tuple[tuple[str, ...], Mapping[str, Any]]] = [((), document)]
    while stack:
        prefix, level = stack.pop()
        for key, given in level.items():
            if not isinstance(key, str):
                raise FieldError(f"the key {key!r} is no text", place=f"document {index}")
            path = (*prefix, key)
            try:
                value = plain(given)
            except FieldError as e:
                raise FieldError(e.message, place=_place(index, path), hint=e.hint) from e
            if value is None:
                continue
            declared = fields.at(path)
            if isinstance(value, Mapping) and (declared is None or declared.kind != "json"):
                if len(path) >= NESTING_MAX:
                    raise FieldError(
                        f"dictionaries are nested more than {NESTING_MAX} levels deep",
                        place=_place(index, path),
                        hint="use fields={…: 'json'} for this field",
                    )
                stack.append((path, value))
            else:
                yield path, value


def _place(index: int, path: Sequence[str]) -> str:
    return f"document {index}, field {'.'.join(path)!r}"


def new_fields(
    documents: Sequence[Mapping[str, Any]], known: Fields, first: int, wanted: Mapping[str, str]
) -> list[Field]:
    """Return the fields of documents that are not known yet.

    :param first: the position of the first document in the call, for messages
    :param wanted: kinds that the user has chosen, by keys
    :raises FieldError: if values have no common type
    """
    chosen = {tuple(key.split(".")): kind for key, kind in wanted.items()}
    seen: dict[tuple[str, ...], _Seen] = {}
    declared = known.with_added(Field(path, ".".join(path), kind) for path, kind in chosen.items())
    for offset, document in enumerate(documents):
        for path, value in flat(document, first + offset, declared):
            if known.at(path) is None:
                _see(seen.setdefault(path, _Seen()), value, first + offset, path, chosen.get(path))
                if len(known) + len(seen) > FIELDS_MAX:
                    raise SchemaError(
                        f"the documents have more than {FIELDS_MAX} different fields",
                        place=_place(first + offset, path),
                        hint="keep values with free keys in one field: fields={'attributes': 'json'}",
                    )
    added: list[Field] = []
    for path, each in seen.items():
        if each.kind is not None:
            kind, size = _final(each, path, chosen.get(path))
            added.append(Field(path, known.with_added(added).free_name(path), kind, size))
    return added


def _see(seen: _Seen, value: Any, index: int, path: Sequence[str], chosen: str | None) -> None:
    place = _place(index, path)
    if chosen == "json":
        seen.kind = "json"
        return
    if _is_array(value):
        value, seen.is_array = value.tolist(), True
    if isinstance(value, (list, tuple, set, frozenset)):
        kind = _list_kind(list(value), place)
        if kind is not None and len(value):
            seen.lengths = {*(seen.lengths or ()), len(value)}
    else:
        kind = _scalar_kind(value, place)
    if kind is None:
        return
    wider = kind if seen.kind is None else _wider(seen.kind, kind)
    if wider is None and "json" in (kind, seen.kind) and (kind.endswith("[]") or str(seen.kind).endswith("[]")):
        wider = "json"
    if wider is None:
        raise FieldError(
            f"the value is of kind {kind!r}, but that of {seen.place} is of kind {seen.kind!r}",
            place=place,
            hint=f"use one type, or keep any values with fields={{{'.'.join(path)!r}: 'json'}}",
        )
    seen.kind, seen.place = wider, place


def _final(seen: _Seen, path: Sequence[str], chosen: str | None) -> tuple[str, int]:
    """Return the kind of a field, and its size if it is a vector."""
    kind = seen.kind or "text"
    lengths = seen.lengths or set()
    is_even = len(lengths) == 1
    shown = ".".join(path)
    if chosen == "vector" or (chosen is None and is_even and kind == "float[]"):
        size = max(lengths, default=0)
        if seen.is_array or chosen == "vector" or size >= VECTOR_MIN:
            if not is_even or kind not in ("float[]", "int[]"):
                raise FieldError("the values are no vectors of one length", place=f"field {shown!r}")
            if size > VECTOR_MAX:
                raise FieldError(f"the vectors have more than {VECTOR_MAX} numbers", place=f"field {shown!r}")
            return "vector", size
    if chosen is not None:
        return chosen, 0
    return kind, 0


def check_kinds(wanted: Mapping[str, str]) -> None:
    for key, kind in wanted.items():
        if kind not in KINDS:
            near = difflib.get_close_matches(str(kind), KINDS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"the kinds are {', '.join(KINDS)}"
            raise SchemaError(f"unknown kind {kind!r}", place=f"field {key!r}", hint=hint)


def to_number(value: Any, field: Field) -> int | float:
    """Return the number that a field of numbers stores for a value.

    :raises FieldError: if it does not fit; without a place
    """
    kind = field.element
    if kind == "bool":
        if isinstance(value, bool):
            return value
    elif kind == "int":
        if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
            pass
        elif isinstance(value, (int, float)):
            whole = int(value)
            if not -(2**63) <= whole < 2**63:
                raise FieldError(f"{whole} is no whole number of 64 bits", hint="store it as text")
            return whole
    elif kind == "float":
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            if isinstance(value, int) and int(float(value)) != value:
                raise FieldError(f"{value} has more digits than a float", hint="store it as text")
            return float(value)
    elif isinstance(value, str):
        begin, _ = period(value, field.shown)
        return begin * 1_000_000 if kind == "datetime_us" else begin
    elif isinstance(value, datetime):
        if kind == "date" and (value.hour, value.minute, value.second, value.microsecond) != (0, 0, 0, 0):
            raise FieldError(f"{value} has a time, and the field has dates", hint="use value.date()")
        return _of_datetime(value, kind)
    elif isinstance(value, date):
        seconds = (value.toordinal() - _EPOCH_DAY) * 86_400
        return seconds * 1_000_000 if kind == "datetime_us" else seconds
    raise FieldError(f"{_shown(value)} does not fit a field of kind {field.kind!r}")


def _of_datetime(value: datetime, kind: str) -> int:
    since = (value if value.tzinfo else value.replace(tzinfo=timezone.utc)) - _EPOCH
    micros = (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
    if kind == "datetime_us":
        return micros
    if micros % 1_000_000:
        raise FieldError(
            f"{value} has a part of a second, and the field has whole seconds",
            hint="use value.replace(microsecond=0), or fields={…: 'datetime_us'} in a new collection",
        )
    return micros // 1_000_000


def period(text: str, shown: str) -> tuple[int, int]:
    """Return the first second of a written date or time, and the first one after it.

    ``2024`` and ``2024-05`` are periods; a time is a period without length.
    """
    match = _PERIOD.fullmatch(text.strip())
    if match is None:
        raise QueryError(
            f"{text!r} is no date", place=shown, hint="write 2024, 2024-05, 2024-05-01 or 2024-05-01T10:00:00Z"
        )
    year, month, day, hour, minute, second, fraction, zone = match.groups()
    try:
        begin = datetime(
            int(year), int(month or 1), int(day or 1), int(hour or 0), int(minute or 0), int(second or 0),
            tzinfo=timezone.utc,
        )  # fmt: skip
    except ValueError as e:
        raise QueryError(f"{text!r} is no date: {e}", place=shown) from e
    if fraction and int(fraction):
        raise QueryError(f"{text!r} has a part of a second", place=shown, hint="compare with a datetime")
    seconds = int((begin - _EPOCH).total_seconds())
    if hour is not None:
        if zone and zone != "Z":
            sign = -1 if zone[0] == "-" else 1
            seconds -= sign * (int(zone[1:3]) * 3600 + int(zone[-2:]) * 60)
        return seconds, seconds
    if day is not None:
        days = 1
    elif month is not None:
        days = calendar.monthrange(begin.year, begin.month)[1]
    else:
        days = 366 if calendar.isleap(begin.year) else 365
    return seconds, seconds + days * 86_400


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "…"


def encode(value: Any, field: Field) -> Any:
    """Return the JSON of a value.

    :raises FieldError: if it does not fit; without a place
    """
    if _is_array(value):
        value = value.tolist()
    if field.kind == "json":
        try:
            return json.dumps(value, ensure_ascii=False, allow_nan=False, default=_json_default)
        except (TypeError, ValueError, RecursionError) as e:
            raise FieldError(f"the value has no JSON: {e}") from e
    if field.kind == "vector":
        return _vector(value, field)
    if field.is_list:
        if not isinstance(value, (list, tuple, set, frozenset)):
            raise FieldError(f"{_shown(value)} is no list, and the field has lists", hint="put it into a list")
        single = replace(field, kind=field.element)
        return [encode(plain(each), single) for each in value]
    if field.element in ("text", "keyword"):
        if not isinstance(value, str):
            raise FieldError(f"{_shown(value)} is no text, and the field has texts", hint="convert it with str()")
        return value
    if field.kind == "bytes":
        if not isinstance(value, (bytes, bytearray, memoryview)):
            raise FieldError(f"{_shown(value)} is not of type bytes")
        return base64.b64encode(bytes(value)).decode("ascii")
    number = to_number(value, field)
    if isinstance(number, float) and not math.isfinite(number):
        return "NaN" if math.isnan(number) else ("Infinity" if number > 0 else "-Infinity")
    return number


def _json_default(value: Any) -> Any:
    converted = plain(value)
    if converted is not value:
        return converted
    if _is_array(value):
        return value.tolist()
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    if isinstance(value, (set, frozenset)):
        return list(value)
    raise TypeError(f"{type(value).__name__} is not of a type of JSON")


def _vector(value: Any, field: Field) -> list[float]:
    try:
        cells = [float(each) for each in value]
    except (TypeError, ValueError) as e:
        raise FieldError(f"{_shown(value)} is no vector") from e
    if len(cells) != field.size:
        raise FieldError(
            f"the vector has {len(cells)} numbers, and those of the field have {field.size}",
            hint="use the same model for all documents and queries of a collection",
        )
    if not all(map(math.isfinite, cells)):
        raise FieldError("the vector has a number that is not finite")
    return cells


def encoded(document: Mapping[str, Any], index: int, fields: Fields) -> dict[str, Any]:
    """Return the fields of a document as JSON, by the names of the schema.

    :raises FieldError: if a value does not fit; the message has the place
    """
    values = {}
    for path, value in flat(document, index, fields):
        field = fields.at(path)
        if field is None:
            # A list without elements, in a field that no document has filled yet.
            continue
        try:
            values[field.name] = encode(value, field)
        except (FieldError, QueryError) as e:
            raise FieldError(e.message, place=_place(index, path), hint=e.hint) from e
    return values


def decode(value: Any, field: Field) -> Any:
    """Return the value of Python for a value of the server."""
    if field.is_list and isinstance(value, list):
        single = replace(field, kind=field.element)
        return [decode(each, single) for each in value]
    if field.kind == "json" and isinstance(value, str):
        try:
            return json.loads(value)
        except ValueError:
            return value
    if field.kind == "vector":
        return _cells(value)
    if field.kind == "bytes" and isinstance(value, str):
        return base64.b64decode(value)
    if field.kind == "float" and isinstance(value, (str, int)):
        return float(value)
    if field.kind in ("date", "datetime", "datetime_us") and isinstance(value, int):
        unit = timedelta(microseconds=value) if field.kind == "datetime_us" else None
        try:
            moment = _EPOCH + (unit if unit is not None else timedelta(seconds=value))
        except OverflowError:
            return value
        return moment.date() if field.kind == "date" else moment
    return value


def _cells(value: Any) -> Any:
    if isinstance(value, Mapping) and isinstance(value.get("values"), list):
        return value["values"]
    return value


def nested(values: Mapping[str, Any], fields: Fields) -> dict[str, Any]:
    """Return the document of values by the names of the schema."""
    document: dict[str, Any] = {}
    for name, value in values.items():
        field = fields.named(name)
        if field is None:
            document[name] = value
            continue
        level = document
        for key in field.path[:-1]:
            inner = level.setdefault(key, {})
            level = inner if isinstance(inner, dict) else {}
        level[field.path[-1]] = decode(value, field)
    return document


def of_schema_type(name: str, schema_type: str) -> Field | None:
    """Return the field for a type of a schema that this package did not write; None for others."""
    vector = re.fullmatch(r"tensor<[a-z0-9]+>\([a-z_0-9]+\[(\d+)\]\)|tensor\([a-z_0-9]+\[(\d+)\]\)", schema_type)
    if vector:
        return Field((name,), name, "vector", int(vector.group(1) or vector.group(2)))
    array = re.fullmatch(r"array<(\w+)>", schema_type)
    kinds = {
        "string": "text", "uri": "text", "int": "int", "long": "int", "byte": "int", "float": "float",
        "double": "float", "float16": "float", "bool": "bool", "raw": "bytes",
    }  # fmt: skip
    kind = kinds.get(array.group(1) if array else schema_type)
    if kind is None or (array and kind == "bytes"):
        return None
    return Field((name,), name, kind + "[]" if array else kind)
