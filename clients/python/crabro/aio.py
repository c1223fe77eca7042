"""Databases and collections for asyncio. The methods are those of :mod:`crabro.database`, with ``await``."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Generator, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, overload

from . import _process
from ._application import read_names
from ._asyncio import AsyncRunner
from ._core import DEFAULT_GROUP, PAGE, By, Core, Match, Model, Part, Search, check_group, options
from ._fields import Fields
from ._http import Place
from ._progress import Progress, ProgressBar
from ._sources import CHUNK, DocumentSource
from ._steps import EmbedFunction
from ._where import Where
from .errors import FieldError
from .results import Document, Documents, SearchResult


class AsyncDatabase:
    """The twin of :class:`crabro.Database` for asyncio. Belongs to the event loop in which it was made."""

    def __init__(self, place: Place, server: _process.ServerProcess | None) -> None:
        self._place = place
        self._server = server
        self._runner = AsyncRunner(place)
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
    ) -> AsyncCollection:
        """Return a collection, as :meth:`crabro.Database.collection` does. ``embed`` can be asynchronous."""
        return AsyncCollection(self._runner, Core(options(name, embed, embed_fields, group, fields)))

    async def collections(self) -> list[str]:
        """Return the names of the collections."""
        return await self._runner.run(read_names())

    async def drop(self, name: str) -> None:
        """Remove a collection, with the documents of all groups."""
        await self._runner.run(Core(options(name, None, None, DEFAULT_GROUP, None)).drop())

    async def close(self) -> None:
        """Close the connections, and stop the server if this process started it."""
        if self._is_open:
            self._is_open = False
            await self._runner.close()
            if self._server is not None:
                await asyncio.to_thread(_process.release, self._server)

    async def __aenter__(self) -> AsyncDatabase:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        where = f", path={str(self.path)!r}" if self.path is not None else ""
        return f"AsyncDatabase({self.url!r}{where})"


class Opening:
    """A database that is being opened: ``db = await crabro.aopen(…)`` or ``async with crabro.aopen(…) as db``."""

    def __init__(self, opening: Callable[[], Awaitable[AsyncDatabase]]) -> None:
        self._opening = opening
        self._database: AsyncDatabase | None = None

    def __await__(self) -> Generator[Any, None, AsyncDatabase]:
        return self._opening().__await__()

    async def __aenter__(self) -> AsyncDatabase:
        self._database = await self._opening()
        return self._database

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._database is not None:
            await self._database.close()


class AsyncCollection:
    """The twin of :class:`crabro.Collection` for asyncio."""

    def __init__(self, runner: AsyncRunner, core: Core) -> None:
        self._runner = runner
        self._core = core

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def group(self) -> str:
        return self._core.group

    def in_group(self, group: str) -> AsyncCollection:
        """Return the same collection for another group."""
        check_group(group)
        given = self._core.options
        return AsyncCollection(
            self._runner, Core(options(self.name, given.embed, given.embed_fields, group, given.kinds))
        )

    async def groups(self) -> dict[str, int]:
        """Return the groups of the collection, with their numbers of documents."""
        return await self._runner.run(self._core.groups())

    async def fields(self) -> dict[str, str]:
        """Return the kinds of the fields."""
        schema = await self._runner.run(self._core.schema())
        return {each.shown: each.kind for each in (schema.fields if schema is not None else Fields())}

    async def add(
        self,
        documents: DocumentSource | AsyncIterable[Mapping[str, Any]],
        *,
        ids: Sequence[Any] | None = None,
        progress: Progress = False,
    ) -> list[str]:
        """Store new documents, and return their ids. ``documents`` can be asynchronous."""
        return await self._written(documents, ids, progress, True)

    async def upsert(
        self,
        documents: DocumentSource | AsyncIterable[Mapping[str, Any]],
        *,
        ids: Sequence[Any] | None = None,
        progress: Progress = False,
    ) -> list[str]:
        """Store documents, and replace those with the same ids. ``documents`` can be asynchronous."""
        return await self._written(documents, ids, progress, False)

    async def _written(self, documents: Any, ids: Sequence[Any] | None, progress: Progress, is_new: bool) -> list[str]:
        if not isinstance(documents, AsyncIterable):
            return await self._runner.run(self._core.add(documents, ids, progress, is_new))
        if ids is not None:
            raise FieldError("ids need a list of documents", hint="give each document its 'id'")
        written: list[str] = []
        bar = ProgressBar(progress, None)

        async def store(part: list[Mapping[str, Any]]) -> None:
            first = len(written)
            written.extend(await self._runner.run(self._core.add(part, None, False, is_new, first)))
            bar.add(len(part))

        try:
            chunk: list[Mapping[str, Any]] = []
            async for document in documents:
                chunk.append(document)
                if len(chunk) == CHUNK:
                    await store(chunk)
                    chunk = []
            if chunk:
                await store(chunk)
        finally:
            bar.close()
        return written

    async def update(self, ids: Any, documents: DocumentSource) -> int:
        """Change the fields that documents name, and return how many documents exist. ``None`` removes a value."""
        return await self._runner.run(self._core.update(ids, documents))

    @overload
    async def get(self, ids: str | int, *, include_vectors: bool = False) -> Document | None: ...  # type: ignore[overload-overlap]
    @overload
    async def get(self, ids: Sequence[str | int], *, include_vectors: bool = False) -> Documents: ...
    async def get(
        self, ids: str | int | Sequence[str | int], *, include_vectors: bool = False
    ) -> Document | Documents | None:
        """Return the document with an id, or None; of a list of ids, the documents that exist."""
        if isinstance(ids, (str, int)):
            found = await self._runner.run(self._core.get([ids], include_vectors))
            return found[0] if found else None
        return Documents(await self._runner.run(self._core.get(ids, include_vectors)))

    async def exists(self, ids: Sequence[str | int]) -> list[bool]:
        """Return for each id whether there is a document. Reads no fields."""
        return await self._runner.run(self._core.exists(ids))

    async def delete(self, ids: Any = None, *, where: Where | None = None) -> int:
        """Remove documents by their ids or by a condition, and return how many existed."""
        return await self._runner.run(self._core.delete(ids, where))

    async def clear(self) -> int:
        """Remove all documents of the group, and return their number."""
        return await self._runner.run(self._core.clear())

    async def count(self, where: Where | None = None, *, timeout: float = 60.0) -> int:
        """Return the number of documents, or of those that meet a condition."""
        return await self._runner.run(self._core.count(where, timeout))

    async def scan(
        self, where: Where | None = None, *, include_vectors: bool = False, batch_size: int = PAGE
    ) -> AsyncIterator[Document]:
        """Return all documents, or those that meet a condition, in no particular order."""
        continuation: str | None = None
        while True:
            found, continuation = await self._runner.run(
                self._core.page(where, continuation, batch_size, include_vectors)
            )
            for document in found:
                yield document
            if continuation is None:
                return

    def __aiter__(self) -> AsyncIterator[Document]:
        return self.scan()

    async def search(
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
        """Return the best documents. The parameters are those of :meth:`crabro.Collection.search`."""
        asked = Search(
            words, where, limit, offset, vector, vector_field, by, match, order, facets, include_vectors,
            yql, params, profile, timeout, min_score, diversity, candidates, typos, beginning,
        )  # fmt: skip
        return await self._runner.run(self._core.search(asked))

    def __repr__(self) -> str:
        return f"AsyncCollection({self.name!r}, group={self.group!r})"
