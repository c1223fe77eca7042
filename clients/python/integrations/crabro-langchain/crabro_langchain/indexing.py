"""What the indexing of LangChain needs: an index of documents, and the records of what was indexed."""

from __future__ import annotations

import asyncio
import threading
import time
import uuid
from collections.abc import Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.indexing import DeleteResponse, DocumentIndex, RecordManager, UpsertResponse
from pydantic import ConfigDict

import crabro
from crabro.records import group_of

from .vectorstores import CrabroVectorStore


class CrabroDocumentIndex(DocumentIndex):
    """The documents of a store as an index.

    :ivar store: the store
    :ivar k: the number of documents that a search returns
    """

    store: CrabroVectorStore
    k: int = 4

    model_config = ConfigDict(arbitrary_types_allowed=True)

    def upsert(self, items: Sequence[Document], /, **kwargs: Any) -> UpsertResponse:
        """Store documents. One without an id gets a random one."""
        documents, ids = _with_ids(items)
        return UpsertResponse(succeeded=self.store.add_documents(documents, ids=ids), failed=[])

    async def aupsert(self, items: Sequence[Document], /, **kwargs: Any) -> UpsertResponse:
        """Store documents. One without an id gets a random one."""
        documents, ids = _with_ids(items)
        return UpsertResponse(succeeded=await self.store.aadd_documents(documents, ids=ids), failed=[])

    def delete(self, ids: list[str] | None = None, **kwargs: Any) -> DeleteResponse:
        """Remove documents by their ids.

        :raises ValueError: without ids
        """
        if ids is None:
            raise ValueError("delete needs ids")
        existing = self.store._records.existing(ids)
        removed = self.store._records.delete(sorted(existing))
        succeeded = [each for each in dict.fromkeys(ids) if each in existing]
        return DeleteResponse(num_deleted=removed, succeeded=succeeded, num_failed=0, failed=[])

    async def adelete(self, ids: list[str] | None = None, **kwargs: Any) -> DeleteResponse:
        """Remove documents by their ids."""
        return await asyncio.to_thread(self.delete, ids)

    def get(self, ids: Sequence[str], /, **kwargs: Any) -> list[Document]:
        """Return the documents with these ids that exist."""
        return self.store.get_by_ids(ids)

    async def aget(self, ids: Sequence[str], /, **kwargs: Any) -> list[Document]:
        """Return the documents with these ids that exist."""
        return await self.store.aget_by_ids(ids)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **kwargs: Any
    ) -> list[Document]:
        return self.store.similarity_search(query, **{"k": self.k, **kwargs})


def _with_ids(items: Sequence[Document]) -> tuple[list[Document], list[str]]:
    return list(items), [each.id or uuid.uuid4().hex for each in items]


class CrabroRecordManager(RecordManager):
    """Keeps what was indexed and when, for ``langchain_core.indexing.index``.

    The time is that of the clock of this process, which never goes back within the process. Programs that index the
    same namespace need the same time.

    :param namespace: of the records, such as ``"crabro/notes"``
    :param collection: the collection of the records of all namespaces; each namespace is a group of it
    """

    def __init__(self, namespace: str, database: crabro.Database, *, collection: str = "langchain_records") -> None:
        super().__init__(namespace)
        fields = {"source": "keyword", "updated_at": "float"}
        self._records = database.collection(collection, group=group_of(namespace), fields=fields)
        self._lock = threading.Lock()
        self._last = 0.0

    def create_schema(self) -> None:
        """Does nothing: the first record makes the schema."""

    async def acreate_schema(self) -> None:
        """Does nothing: the first record makes the schema."""

    def get_time(self) -> float:
        """Return the time, which is never less than that of a call before."""
        with self._lock:
            self._last = max(self._last, time.time())
            return self._last

    async def aget_time(self) -> float:
        """Return the time, which is never less than that of a call before."""
        return self.get_time()

    def update(
        self,
        keys: Sequence[str],
        *,
        group_ids: Sequence[str | None] | None = None,
        time_at_least: float | None = None,
    ) -> None:
        """Record that keys were indexed now.

        :raises ValueError: if there is not one group id for each key, or ``time_at_least`` is in the future
        """
        if group_ids is not None and len(group_ids) != len(keys):
            raise ValueError(f"there are {len(keys)} keys and {len(group_ids)} group_ids")
        now = self.get_time()
        if time_at_least is not None and time_at_least > now:
            raise ValueError(f"time_at_least is {time_at_least}, and the time is {now}")
        records = [
            {"id": key, "source": group_ids[i] if group_ids is not None else None, "updated_at": now}
            for i, key in enumerate(keys)
        ]
        if records:
            self._records.upsert(records)

    async def aupdate(
        self,
        keys: Sequence[str],
        *,
        group_ids: Sequence[str | None] | None = None,
        time_at_least: float | None = None,
    ) -> None:
        """Record that keys were indexed now."""
        await asyncio.to_thread(self.update, keys, group_ids=group_ids, time_at_least=time_at_least)

    def exists(self, keys: Sequence[str]) -> list[bool]:
        """Return for each key whether it is recorded."""
        return self._records.exists(list(keys)) if keys else []

    async def aexists(self, keys: Sequence[str]) -> list[bool]:
        """Return for each key whether it is recorded."""
        return await asyncio.to_thread(self.exists, keys)

    def list_keys(
        self,
        *,
        before: float | None = None,
        after: float | None = None,
        group_ids: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> list[str]:
        """Return the keys that were recorded before and after moments, and for some groups."""
        where: dict[str, Any] = {}
        if before is not None or after is not None:
            bounds = {"<": before, ">": after}
            where["updated_at"] = {sign: bound for sign, bound in bounds.items() if bound is not None}
        fields = self._records.fields()
        if "updated_at" not in fields or (group_ids and "source" not in fields):
            # Another program may have written the first record.
            self._records = self._records.in_group(self._records.group)
            fields = self._records.fields()
            if "updated_at" not in fields:
                return []
        if group_ids:
            named = [each for each in group_ids if each is not None]
            choices: list[dict[str, Any]] = []
            if "source" in fields:
                if named:
                    choices.append({"source": {"in": named}})
                if len(named) < len(group_ids):
                    choices.append({"source": None})
            elif len(named) < len(group_ids):
                # No record has a group.
                choices.append({"and": []})
            where["or"] = choices
        keys: list[str] = []
        for record in self._records.scan(where or None):
            if limit is not None and len(keys) >= limit:
                break
            keys.append(record.id)
        return keys

    async def alist_keys(
        self,
        *,
        before: float | None = None,
        after: float | None = None,
        group_ids: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> list[str]:
        """Return the keys that were recorded before and after moments, and for some groups."""
        return await asyncio.to_thread(self.list_keys, before=before, after=after, group_ids=group_ids, limit=limit)

    def delete_keys(self, keys: Sequence[str]) -> None:
        """Remove the records of keys."""
        if keys:
            self._records.delete(list(keys))

    async def adelete_keys(self, keys: Sequence[str]) -> None:
        """Remove the records of keys."""
        await asyncio.to_thread(self.delete_keys, keys)
