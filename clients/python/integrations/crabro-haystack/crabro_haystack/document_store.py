"""A document store of Haystack."""

from __future__ import annotations

import asyncio
import base64
import json
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from haystack import default_from_dict, default_to_dict
from haystack.dataclasses import ByteStream, Document, SparseEmbedding
from haystack.document_stores.errors import DuplicateDocumentError
from haystack.document_stores.types import DuplicatePolicy
from haystack.errors import FilterError
from haystack.utils import Secret, deserialize_secrets_inplace

import crabro
from crabro.records import Condition, Record, Records

from ._filters import condition

_TOKEN = Secret.from_env_var("CRABRO_TOKEN", strict=False)


class CrabroDocumentStore:
    """Keeps documents in a collection of Crabro.

    :param path: a directory that is opened with a server of its own, as ``crabro.open`` does; or
    :param url: the address of a server that runs
    :param token: the token for ``url``
    :param config_url: the address for schemas, if it is not port 19071 of the same host
    :param collection: the name of the collection, which belongs to stores alone
    :param group: the part of the collection, such as a user
    :param filter_keys: the keys of ``meta`` that filters can name; by default all
    """

    def __init__(
        self,
        path: str | None = None,
        *,
        url: str | None = None,
        token: Secret = _TOKEN,
        config_url: str | None = None,
        collection: str = "haystack",
        group: str = "me",
        filter_keys: list[str] | None = None,
    ) -> None:
        if (path is None) == (url is None):
            raise ValueError("a store needs a path or a url")
        self.path = path
        self.url = url
        self.token = token
        self.config_url = config_url
        self.collection = collection
        self.group = group
        self.filter_keys = filter_keys
        self._lock = threading.Lock()
        self._database: crabro.Database | None = None
        self._opened: Records | None = None

    def _records(self) -> Records:
        """Return the records. The first call opens the directory, or connects."""
        with self._lock:
            if self._opened is None:
                if self.path is not None:
                    self._database = crabro.open(self.path)
                else:
                    self._database = crabro.connect(
                        self.url or "", self.token.resolve_value(), config_url=self.config_url
                    )
                found = self._database.collection(self.collection, group=self.group)
                self._opened = Records(found, self.filter_keys)
            return self._opened

    def close(self) -> None:
        """Close the connections. The next call opens them again."""
        with self._lock:
            if self._database is not None:
                self._database.close()
            self._database, self._opened = None, None

    def to_dict(self) -> dict[str, Any]:
        """Return the store as a dictionary. The token must come from an environment variable."""
        return default_to_dict(
            self,
            path=self.path,
            url=self.url,
            token=self.token.to_dict(),
            config_url=self.config_url,
            collection=self.collection,
            group=self.group,
            filter_keys=self.filter_keys,
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> CrabroDocumentStore:
        """Return the store of a dictionary."""
        parameters = dict(data.get("init_parameters", {}))
        if isinstance(parameters.get("token"), dict):
            deserialize_secrets_inplace(parameters, keys=["token"])
        store: CrabroDocumentStore = default_from_dict(cls, {**data, "init_parameters": parameters})
        return store

    # Writes

    def write_documents(self, documents: list[Document], policy: DuplicatePolicy = DuplicatePolicy.NONE) -> int:
        """Store documents, and return how many were written. Without a policy, an id that exists is an error.

        :raises DuplicateDocumentError: if an id exists and the policy is ``FAIL`` or ``NONE``; nothing is stored then
        """
        if not isinstance(documents, list) or not all(isinstance(each, Document) for each in documents):
            raise ValueError("write_documents needs a list of documents")
        records = [_record(each) for each in documents]
        store = self._records()
        if policy == DuplicatePolicy.OVERWRITE:
            store.put(records)
            return len(records)
        if policy == DuplicatePolicy.SKIP:
            return store.put_new(records)
        ids = [each.id for each in records]
        present = store.existing(ids)
        twice = {each for each, count in Counter(ids).items() if count > 1}
        if present or twice:
            raise DuplicateDocumentError(f"documents exist already: {', '.join(sorted(present | twice)[:10])}")
        try:
            return len(store.put(records, is_new=True))
        except crabro.DuplicateIdError as e:
            # Another program wrote it in between.
            raise DuplicateDocumentError(str(e)) from e

    def delete_documents(self, document_ids: list[str]) -> None:
        """Remove documents by their ids. Those that do not exist are left out."""
        self._records().delete(document_ids)

    def delete_all_documents(self, recreate_index: bool = False) -> None:
        """Remove all documents of the group.

        :param recreate_index: whether the collection is removed, too, if no other group has documents
        """
        self._records().clear()
        if recreate_index:
            with self._lock:
                database = self._database
                if database is not None and not database.collection(self.collection).groups():
                    database.drop(self.collection)
                    self._opened = Records(database.collection(self.collection, group=self.group), self.filter_keys)

    def delete_by_filter(self, filters: dict[str, Any]) -> int:
        """Remove the documents that meet a filter, and return their number."""
        wanted = _needed(filters)
        with _filtering():
            return self._records().delete_where(wanted)

    def update_by_filter(self, filters: dict[str, Any], meta: dict[str, Any]) -> int:
        """Change values of ``meta`` of the documents that meet a filter, and return their number."""
        wanted = _needed(filters)
        with _filtering():
            found = [_document(each) for each in self._records().scan(wanted, vectors=True)]
        for each in found:
            each.meta.update(meta)
        self._records().put([_record(each) for each in found])
        return len(found)

    # Reads

    def count_documents(self) -> int:
        """Count all documents of the group."""
        return self._records().count()

    def count_documents_by_filter(self, filters: dict[str, Any]) -> int:
        """Count the documents that meet a filter."""
        with _filtering():
            return self._records().count(condition(filters))

    def filter_documents(self, filters: dict[str, Any] | None = None) -> list[Document]:
        """Return the documents that meet a filter, in no particular order."""
        with _filtering():
            return [_document(each) for each in self._records().scan(condition(filters), vectors=True)]

    def search(
        self,
        query: str | None = None,
        embedding: list[float] | None = None,
        *,
        by: Literal["words", "vector", "both"],
        filters: dict[str, Any] | None = None,
        top_k: int = 10,
        min_score: float | None = None,
        return_embedding: bool = False,
    ) -> list[Document]:
        """Return the best documents with their scores, as the retrievers do."""
        with _filtering():
            found = self._records().search(
                query,
                vector=embedding,
                by=by,
                condition=condition(filters),
                limit=top_k,
                min_score=min_score,
                vectors=return_embedding,
            )
        return [_document(each) for each in found]

    # Values of meta. These methods read all documents that meet the filter.

    def get_metadata_fields_info(self) -> dict[str, dict[str, str]]:
        """Return the keys of ``meta`` with the types of their values: keyword, int, float, boolean or json.

        Where a key has several types, it has the last one of this list.
        """
        types: dict[str, str] = {}
        for meta in self._metas(None):
            for key, value in meta.items():
                if value is not None:
                    types[key] = max(types.get(key, "keyword"), _type(value), key=_TYPES.index)
        return {key: {"type": name} for key, name in types.items()}

    def get_metadata_field_min_max(self, metadata_field: str) -> dict[str, Any]:
        """Return the least and the greatest value of a key: of its numbers, or else of its texts."""
        values = list(self._values(metadata_field, None))
        numbers = [each for each in values if isinstance(each, (int, float)) and not isinstance(each, bool)]
        ordered: list[Any] = numbers or [each for each in values if isinstance(each, str)]
        return {"min": min(ordered, default=None), "max": max(ordered, default=None)}

    def get_metadata_field_unique_values(
        self,
        metadata_field: str,
        search_term: str | None = None,
        from_: int = 0,
        size: int = 10,
        filters: dict[str, Any] | None = None,
    ) -> tuple[list[Any], int]:
        """Return a page of the different values of a key in their order as texts, and the number of all.

        :param search_term: a part of the values, in any case
        """
        values = _distinct(self._values(metadata_field, filters))
        if search_term:
            values = {key: each for key, each in values.items() if search_term.lower() in str(each).lower()}
        ordered = sorted(values.values(), key=lambda each: (str(each), type(each).__name__))
        return ordered[from_ : from_ + size], len(ordered)

    def count_unique_metadata_by_filter(self, filters: dict[str, Any], metadata_fields: list[str]) -> dict[str, int]:
        """Count the different values of keys among the documents that meet a filter."""
        metas = list(self._metas(filters))
        return {name: len(_distinct(_of_key(metas, name))) for name in metadata_fields}

    def _metas(self, filters: dict[str, Any] | None) -> Iterator[dict[str, Any]]:
        with _filtering():
            for each in self._records().scan(condition(filters)):
                yield dict(each.metadata)

    def _values(self, key: str, filters: dict[str, Any] | None) -> Iterator[Any]:
        return _of_key(self._metas(filters), key)

    # The same for asyncio

    async def count_documents_async(self) -> int:
        """Count all documents of the group."""
        return await asyncio.to_thread(self.count_documents)

    async def count_documents_by_filter_async(self, filters: dict[str, Any]) -> int:
        """Count the documents that meet a filter."""
        return await asyncio.to_thread(self.count_documents_by_filter, filters)

    async def filter_documents_async(self, filters: dict[str, Any] | None = None) -> list[Document]:
        """Return the documents that meet a filter."""
        return await asyncio.to_thread(self.filter_documents, filters)

    async def write_documents_async(
        self, documents: list[Document], policy: DuplicatePolicy = DuplicatePolicy.NONE
    ) -> int:
        """Store documents, and return how many were written."""
        return await asyncio.to_thread(self.write_documents, documents, policy)

    async def delete_documents_async(self, document_ids: list[str]) -> None:
        """Remove documents by their ids."""
        await asyncio.to_thread(self.delete_documents, document_ids)

    async def delete_all_documents_async(self, recreate_index: bool = False) -> None:
        """Remove all documents of the group."""
        await asyncio.to_thread(self.delete_all_documents, recreate_index)

    async def delete_by_filter_async(self, filters: dict[str, Any]) -> int:
        """Remove the documents that meet a filter, and return their number."""
        return await asyncio.to_thread(self.delete_by_filter, filters)

    async def update_by_filter_async(self, filters: dict[str, Any], meta: dict[str, Any]) -> int:
        """Change values of ``meta`` of the documents that meet a filter, and return their number."""
        return await asyncio.to_thread(self.update_by_filter, filters, meta)

    async def get_metadata_fields_info_async(self) -> dict[str, dict[str, str]]:
        """Return the keys of ``meta`` with the types of their values."""
        return await asyncio.to_thread(self.get_metadata_fields_info)

    async def get_metadata_field_min_max_async(self, metadata_field: str) -> dict[str, Any]:
        """Return the least and the greatest value of a key."""
        return await asyncio.to_thread(self.get_metadata_field_min_max, metadata_field)

    async def get_metadata_field_unique_values_async(
        self,
        metadata_field: str,
        search_term: str | None = None,
        from_: int = 0,
        size: int = 10,
        filters: dict[str, Any] | None = None,
    ) -> tuple[list[Any], int]:
        """Return a page of the different values of a key, and the number of all."""
        return await asyncio.to_thread(
            self.get_metadata_field_unique_values, metadata_field, search_term, from_, size, filters
        )

    async def count_unique_metadata_by_filter_async(
        self, filters: dict[str, Any], metadata_fields: list[str]
    ) -> dict[str, int]:
        """Count the different values of keys among the documents that meet a filter."""
        return await asyncio.to_thread(self.count_unique_metadata_by_filter, filters, metadata_fields)


_TYPES = ("keyword", "int", "float", "boolean", "json")


def _type(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "int"
    if isinstance(value, float):
        return "float"
    return "keyword" if isinstance(value, str) else "json"


def _of_key(metas: Iterable[dict[str, Any]], key: str) -> Iterator[Any]:
    for meta in metas:
        value: Any = meta
        for part in key.removeprefix("meta.").split("."):
            value = value.get(part) if isinstance(value, dict) else None
        if value is not None:
            yield value


def _distinct(values: Iterable[Any]) -> dict[str, Any]:
    """Return values by texts that are different for different types."""
    return {f"{type(each).__name__} {json.dumps(each, sort_keys=True, default=str)}": each for each in values}


def _needed(filters: dict[str, Any]) -> Condition:
    wanted = condition(filters)
    if wanted is None:
        raise FilterError("the filter is empty; delete_all_documents() removes all documents")
    return wanted


class _filtering:
    """Raises errors of conditions as errors of filters."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, crabro.QueryError):
            raise FilterError(str(error)) from error


def _record(document: Document) -> Record:
    extra: dict[str, Any] = {}
    if document.blob is not None:
        blob = document.blob
        data = base64.b64encode(blob.data).decode("ascii")
        extra["blob"] = {"data": data, "meta": blob.meta, "mime_type": blob.mime_type}
    if document.sparse_embedding is not None:
        extra["sparse_embedding"] = document.sparse_embedding.to_dict()
    if document.score is not None:
        extra["score"] = document.score
    return Record(document.id, document.content, document.meta, document.embedding, extra, list(extra))


def _document(record: Record) -> Document:
    blob, sparse = record.extra.get("blob"), record.extra.get("sparse_embedding")
    return Document(
        id=record.id,
        content=record.text,
        blob=ByteStream(base64.b64decode(blob["data"]), blob["meta"], blob["mime_type"]) if blob else None,
        meta=dict(record.metadata),
        score=record.score if record.score is not None else record.extra.get("score"),
        embedding=list(record.vector) if record.vector is not None else None,
        sparse_embedding=SparseEmbedding.from_dict(sparse) if sparse else None,
    )
