"""Documents and results of searches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

from .errors import MissingPackageError

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class Document(Mapping[str, Any]):
    """A stored document: a mapping of its fields, with an id.

    :ivar id: the id in its collection and group
    :ivar vector: the vector, where the call asked for it
    """

    __slots__ = ("_fields", "id", "vector")

    def __init__(self, id: str, fields: Mapping[str, Any], vector: Sequence[float] | None = None) -> None:
        self.id = id
        self.vector = list(vector) if vector is not None else None
        self._fields = dict(fields)

    def __getitem__(self, key: str) -> Any:
        return self._fields[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(id={self.id!r}, {self._fields!r})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Document):
            return self.id == other.id and self._fields == other._fields
        return isinstance(other, Mapping) and self._fields == dict(other)

    def __hash__(self) -> int:
        return hash(self.id)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields, with the id as ``id``. ``upsert`` accepts it."""
        return {"id": self.id, **self._fields}

    def _row(self) -> dict[str, Any]:
        row = self.to_dict()
        if self.vector is not None:
            row["vector"] = self.vector
        return row


class Hit(Document):
    """A document that a search found.

    :ivar score: higher is better. For words alone it is BM25, for vectors alone the cosine similarity, and for both
        the sum of the reciprocal ranks
    """

    __slots__ = ("score",)

    def __init__(self, id: str, fields: Mapping[str, Any], score: float, vector: Sequence[float] | None = None) -> None:
        super().__init__(id, fields, vector)
        self.score = score

    def __repr__(self) -> str:
        return f"Hit(id={self.id!r}, score={self.score:.4g}, {self._fields!r})"

    def _row(self) -> dict[str, Any]:
        row = super()._row()
        return {"id": row.pop("id"), "score": self.score, **row}


class Documents(Sequence[Document]):
    """A list of documents that can become a table."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = list(documents)

    @overload
    def __getitem__(self, index: int) -> Document: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Document]: ...
    def __getitem__(self, index: int | slice) -> Document | Sequence[Document]:
        return self._documents[index]

    def __len__(self) -> int:
        return len(self._documents)

    def __repr__(self) -> str:
        return f"Documents({self._documents!r})"

    @property
    def ids(self) -> list[str]:
        return [document.id for document in self._documents]

    def to_list(self) -> list[dict[str, Any]]:
        """Return a dictionary for each document, with its id."""
        return [document._row() for document in self._documents]

    def to_pandas(self) -> pandas.DataFrame:
        """Return a DataFrame of pandas with a row for each document."""
        return _to_pandas(self.to_list())

    def to_polars(self) -> polars.DataFrame:
        """Return a DataFrame of polars with a row for each document."""
        return _to_polars(self.to_list())

    def to_arrow(self) -> pyarrow.Table:
        """Return a table of Arrow with a row for each document."""
        return _to_arrow(self.to_list())


class SearchResult(Sequence[Hit]):
    """The hits of a search, the best first.

    :ivar total: the number of documents that match. With vectors, the nearest ones count too
    :ivar facets: for each asked field, its values and the number of matching documents, the most frequent first
    :ivar is_complete: whether all documents were searched in the time of the query
    """

    def __init__(
        self,
        hits: Sequence[Hit],
        total: int,
        facets: Mapping[str, Mapping[Any, int]] | None = None,
        is_complete: bool = True,
    ) -> None:
        self._hits = list(hits)
        self.total = total
        self.facets = {name: dict(counts) for name, counts in (facets or {}).items()}
        self.is_complete = is_complete

    @overload
    def __getitem__(self, index: int) -> Hit: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Hit]: ...
    def __getitem__(self, index: int | slice) -> Hit | Sequence[Hit]:
        return self._hits[index]

    def __len__(self) -> int:
        return len(self._hits)

    def __repr__(self) -> str:
        lines = [f"SearchResult: {len(self._hits)} of {self.total}"]
        lines += [f"  {hit!r}" for hit in self._hits[:10]]
        return "\n".join(lines)

    @property
    def ids(self) -> list[str]:
        return [hit.id for hit in self._hits]

    def to_list(self) -> list[dict[str, Any]]:
        """Return a dictionary for each hit, with its id and score."""
        return [hit._row() for hit in self._hits]

    def to_pandas(self) -> pandas.DataFrame:
        """Return a DataFrame of pandas with a row for each hit."""
        return _to_pandas(self.to_list())

    def to_polars(self) -> polars.DataFrame:
        """Return a DataFrame of polars with a row for each hit."""
        return _to_polars(self.to_list())

    def to_arrow(self) -> pyarrow.Table:
        """Return a table of Arrow with a row for each hit."""
        return _to_arrow(self.to_list())


def _columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _missing(name: str) -> MissingPackageError:
    return MissingPackageError(f"the package {name} is not installed", hint=f"pip install {name}")


def _to_pandas(rows: list[dict[str, Any]]) -> pandas.DataFrame:
    try:
        import pandas
    except ImportError as e:
        raise _missing("pandas") from e
    return pandas.DataFrame(_columns(rows))


def _to_polars(rows: list[dict[str, Any]]) -> polars.DataFrame:
    try:
        import polars
    except ImportError as e:
        raise _missing("polars") from e
    return polars.DataFrame(_columns(rows), strict=False)


def _to_arrow(rows: list[dict[str, Any]]) -> pyarrow.Table:
    try:
        import pyarrow
    except ImportError as e:
        raise _missing("pyarrow") from e
    return pyarrow.table(_columns(rows))
