"""Documents of a call: dictionaries, and tables of pandas, polars and Arrow."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from .errors import FieldError
from .results import Document

#: Documents: a list, a generator, or a table of pandas, polars or Arrow. A single one is a dictionary.
DocumentSource: TypeAlias = "Iterable[Mapping[str, Any]] | Mapping[str, Any] | Any"

#: The number of documents that are looked at, embedded and encoded at once.
CHUNK = 1000


def rows(source: DocumentSource) -> Iterator[Mapping[str, Any]]:
    """Yield the documents of a source one by one.

    :raises FieldError: if a row is no dictionary
    """
    if isinstance(source, Document):
        yield source.to_dict()
        return
    if isinstance(source, Mapping):
        yield source
        return
    module = type(source).__module__.partition(".")[0]
    if module == "pandas" and hasattr(source, "to_dict"):
        yield from _pandas(source)
        return
    if module == "polars" and hasattr(source, "iter_rows"):
        yield from source.iter_rows(named=True)
        return
    if module == "pyarrow" and hasattr(source, "to_pylist"):
        batches = source.to_batches(max_chunksize=CHUNK) if hasattr(source, "to_batches") else [source]
        for batch in batches:
            yield from batch.to_pylist()
        return
    if isinstance(source, (str, bytes)) or not isinstance(source, Iterable):
        raise FieldError(
            f"documents are dictionaries, and not {type(source).__name__}",
            hint="add([{'title': '…'}]), or a table of pandas, polars or Arrow",
        )
    for index, row in enumerate(source):
        if isinstance(row, Document):
            yield row.to_dict()
        elif isinstance(row, Mapping):
            yield row
        else:
            raise FieldError(f"a document is a dictionary, and not {type(row).__name__}", place=f"document {index}")


def _pandas(frame: Any) -> Iterator[Mapping[str, Any]]:
    for begin in range(0, len(frame), CHUNK):
        for row in frame.iloc[begin : begin + CHUNK].to_dict("records"):
            # A cell without a value is NaN in a column of numbers or objects.
            yield {
                str(name): None if isinstance(value, float) and math.isnan(value) else value
                for name, value in row.items()
            }


def length(source: DocumentSource) -> int | None:
    """Return the number of documents, if it is known before they are read."""
    if isinstance(source, Mapping):
        return 1
    try:
        count: int = len(source)  # type: ignore[arg-type]
        return count
    except TypeError:
        return None


def chunks(documents: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    chunk: list[Mapping[str, Any]] = []
    for document in documents:
        chunk.append(document)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def checked_ids(ids: Sequence[Any]) -> list[str]:
    """Return ids as texts.

    :raises FieldError: if one cannot be an id
    """
    return [checked_id(each, index) for index, each in enumerate(ids)]


def checked_id(given: Any, index: int) -> str:
    if isinstance(given, bool) or not isinstance(given, (str, int)):
        shown = str(given) if type(given).__module__ in ("uuid", "numpy") else None
        if shown is None:
            raise FieldError(
                f"an id is a text or a whole number, and not {type(given).__name__}", place=f"document {index}"
            )
        given = shown
    text = str(given)
    if not text or len(text) > 60_000:
        raise FieldError("an id has 1 to 60,000 characters", place=f"document {index}")
    return text
