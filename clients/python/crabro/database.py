"""Databases and collections whose calls wait for their result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, overload

from . import _process
from ._application import read_names
from ._blocking import BlockingRunner
from ._core import DEFAULT_GROUP, PAGE, By, Core, Match, Model, Part, Search, check_group, options
from ._fields import Fields
from ._http import Place
from ._progress import Progress
from ._sources import DocumentSource
from ._steps import EmbedFunction
from ._where import Where
from .results import Document, Documents, SearchResult


class Database:
    """A server and its collections. Made by :func:`crabro.open` and :func:`crabro.connect`.

    Can be used by several threads. A context manager that closes it at its end.
    """

    def __init__(self, place: Place, server: _process.ServerProcess | None) -> None:
        self._place = place
        self._server = server
        self._runner = BlockingRunner(place)
        self._is_open = True

    @property
    def url(self) -> str:
        """The address for documents and searches."""
        return self._place.url

    @property
    def config_url(self) -> str:
        """The address for schemas."""
        return self._place.config_url

    @property
    def token(self) -> str | None:
        """The token that requests have. Who has it can read and change everything."""
        return self._place.token

    @property
    def path(self) -> Path | None:
        """The directory of the data, if this process started the server."""
        return self._server.path if self._server is not None else None

    def collection(
        self,
        name: str,
        *,
        embed: EmbedFunction | Model | str | Path | None = None,
        embed_fields: str | Sequence[str] | None = None,
        group: str = DEFAULT_GROUP,
        fields: Mapping[str, str] | None = None,
    ) -> Collection:
        """Return a collection. It exists from its first documents on.

        :param embed: makes vectors of texts: a function from a list of texts to a list of vectors, or a directory with
            an ONNX model and its tokenizer, which the server then runs
        :param embed_fields: the fields whose texts are embedded; by default all texts of the first documents
        :param group: the part of the collection that is read, searched and written, such as a user
        :param fields: kinds of fields where the values of Python do not say enough, such as
            ``{"sku": "keyword", "payload": "json"}``
        """
        return Collection(self._runner, Core(options(name, embed, embed_fields, group, fields)))

    def collections(self) -> list[str]:
        """Return the names of the collections."""
        return self._runner.run(read_names())

    def drop(self, name: str) -> None:
        """Remove a collection, with the documents of all groups."""
        self._runner.run(Core(options(name, None, None, DEFAULT_GROUP, None)).drop())

    def close(self) -> None:
        """Close the connections, and stop the server if this process started it."""
        if self._is_open:
            self._is_open = False
            self._runner.close()
            if self._server is not None:
                _process.release(self._server)

    def __enter__(self) -> Database:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        where = f", path={str(self.path)!r}" if self.path is not None else ""
        return f"Database({self.url!r}{where})"


class Collection:
    """Documents of one kind, and of one group. Made by :meth:`Database.collection`."""

    def __init__(self, runner: BlockingRunner, core: Core) -> None:
        self._runner = runner
        self._core = core

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def group(self) -> str:
        return self._core.group

    def in_group(self, group: str) -> Collection:
        """Return the same collection for another group."""
        check_group(group)
        given = self._core.options
        return Collection(self._runner, Core(options(self.name, given.embed, given.embed_fields, group, given.kinds)))

    def groups(self) -> dict[str, int]:
        """Return the groups of the collection, with their numbers of documents."""
        return self._runner.run(self._core.groups())

    def fields(self) -> dict[str, str]:
        """Return the kinds of the fields."""
        schema = self._runner.run(self._core.schema())
        return {each.shown: each.kind for each in (schema.fields if schema is not None else Fields())}

    def add(
        self, documents: DocumentSource, *, ids: Sequence[Any] | None = None, progress: Progress = False
    ) -> list[str]:
        """Store new documents, and return their ids.

        The id is the value of ``id`` in a document, or that of ``ids``; without one it is random.

        :param documents: dictionaries, or a table of pandas, polars or Arrow
        :param progress: ``True`` for a progress bar, or a function of the written documents and all
        :raises DuplicateIdError: if there is a document with an id; the others are stored
        :raises FieldError: if a value cannot be stored
        :raises FeedError: if the server refuses documents; the others are stored
        """
        return self._runner.run(self._core.add(documents, ids, progress, True))

    def upsert(
        self, documents: DocumentSource, *, ids: Sequence[Any] | None = None, progress: Progress = False
    ) -> list[str]:
        """Store documents, and replace those with the same ids. Otherwise as :meth:`add`."""
        return self._runner.run(self._core.add(documents, ids, progress, False))

    def update(self, ids: Any, documents: DocumentSource) -> int:
        """Change the fields that documents name, and return how many documents exist. ``None`` removes a value."""
        return self._runner.run(self._core.update(ids, documents))

    @overload
    def get(self, ids: str | int, *, include_vectors: bool = False) -> Document | None: ...  # type: ignore[overload-overlap]
    @overload
    def get(self, ids: Sequence[str | int], *, include_vectors: bool = False) -> Documents: ...
    def get(
        self, ids: str | int | Sequence[str | int], *, include_vectors: bool = False
    ) -> Document | Documents | None:
        """Return the document with an id, or None; of a list of ids, the documents that exist."""
        if isinstance(ids, (str, int)):
            found = self._runner.run(self._core.get([ids], include_vectors))
            return found[0] if found else None
        return Documents(self._runner.run(self._core.get(ids, include_vectors)))

    def exists(self, ids: Sequence[str | int]) -> list[bool]:
        """Return for each id whether there is a document. Reads no fields."""
        return self._runner.run(self._core.exists(ids))

    def delete(self, ids: Any = None, *, where: Where | None = None) -> int:
        """Remove documents by their ids or by a condition, and return how many existed."""
        return self._runner.run(self._core.delete(ids, where))

    def clear(self) -> int:
        """Remove all documents of the group, and return their number."""
        return self._runner.run(self._core.clear())

    def count(self, where: Where | None = None, *, timeout: float = 60.0) -> int:
        """Return the number of documents, or of those that meet a condition."""
        return self._runner.run(self._core.count(where, timeout))

    def scan(
        self, where: Where | None = None, *, include_vectors: bool = False, batch_size: int = PAGE
    ) -> Iterator[Document]:
        """Return all documents, or those that meet a condition, in no particular order.

        Documents that are written or removed meanwhile may be returned or not.
        """
        continuation: str | None = None
        while True:
            found, continuation = self._runner.run(self._core.page(where, continuation, batch_size, include_vectors))
            yield from found
            if continuation is None:
                return

    def __iter__(self) -> Iterator[Document]:
        return self.scan()

    def search(
        self,
        words: str | None = None,
        *,
        where: Where | None = None,
        limit: int = 10,
        offset: int = 0,
        vector: Iterable[float] | None = None,
        vector_field: str | None = None,
        by: By | None = None,
        match: Match | None = None,
        order: str | Sequence[str] | None = None,
        facets: Sequence[str] | Mapping[str, Part | None] | None = None,
        include_vectors: bool = False,
        yql: str | None = None,
        params: Mapping[str, Any] | None = None,
        profile: str | None = None,
        timeout: float = 10.0,
        min_score: float | None = None,
        diversity: float | None = None,
        candidates: int | None = None,
        typos: bool = True,
        beginning: bool = False,
    ) -> SearchResult:
        """Return the best documents.

        :param words: searched in all texts. ``"two words"`` in quotes are a phrase, ``-word`` is excluded
        :param where: a condition, such as ``{"price": {"<": 10}, "or": [{"tag": "a"}, {"tag": "b"}]}``
        :param vector: the vector to be near to; without it, that of the words
        :param by: ``words``, ``vector`` or ``both``; by default both, where there are vectors and words
        :param match: whether ``all`` words must occur, or ``any``. The default is all, and any with vectors
        :param order: fields to sort by, ``-`` before a name for descending, instead of by score
        :param facets: fields whose values are counted over all documents that match words and condition. A dictionary
            gives a part of dates: ``{"date": "month"}``
        :param yql: a query in YQL instead of words; ``params`` has the values of ``@name``, ``profile`` a rank profile
        :param timeout: in seconds
        :param min_score: hits with a lower score are left out. ``total`` counts them
        :param diversity: from 0 to 1: how much a hit loses if its vector is near to that of a better hit (maximal
            marginal relevance)
        :param candidates: the number of best hits from which ``diversity`` selects; by default 5 times ``limit``
        :param typos: whether a word that few documents have also matches words that differ in one or two characters
        :param beginning: whether the last word also matches longer words that begin with it, for search as you type. A
            blank after the word ends it
        :raises QueryError: if the query is wrong
        """
        asked = Search(
            words, where, limit, offset, vector, vector_field, by, match, order, facets, include_vectors,
            yql, params, profile, timeout, min_score, diversity, candidates, typos, beginning,
        )  # fmt: skip
        return self._runner.run(self._core.search(asked))

    def __repr__(self) -> str:
        return f"Collection({self.name!r}, group={self.group!r})"
