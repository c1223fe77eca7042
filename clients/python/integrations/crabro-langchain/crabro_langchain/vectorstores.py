"""A vector store of LangChain."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore

import crabro
from crabro.records import Condition, Record, Records, condition_of

By = Literal["vector", "words", "both"]


class CrabroVectorStore(VectorStore):
    """Keeps documents in a collection of Crabro.

    A filter is a dictionary of the metadata, such as ``{"page": {"$gt": 3}, "$or": [{"tag": "a"}, {"tag": "b"}]}``.

    :param database: from ``crabro.open`` or ``crabro.connect``
    :param embedding: makes the vectors; without it documents are found by words
    :param collection: the name of the collection, which belongs to stores alone
    :param group: the part of the collection, such as a user
    :param by: how searches find documents: by ``vector``, by ``words``, or by ``both``. By default ``vector``, or
        ``words`` without ``embedding``
    :param filter_keys: the keys of metadata that filters can name; by default all
    """

    def __init__(
        self,
        database: crabro.Database,
        embedding: Embeddings | None = None,
        *,
        collection: str = "langchain",
        group: str = "me",
        by: By | None = None,
        filter_keys: Iterable[str] | None = None,
    ) -> None:
        self._database = database
        self._embedding = embedding
        self._by: By = by or ("words" if embedding is None else "vector")
        if self._by != "words" and embedding is None:
            raise ValueError(f"by={self._by!r} needs an embedding")
        self._records = Records(database.collection(collection, group=group), filter_keys)

    @property
    def embeddings(self) -> Embeddings | None:
        return self._embedding

    @classmethod
    def from_texts(
        cls,
        texts: list[str],
        embedding: Embeddings,
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: list[str] | None = None,
        database: crabro.Database | None = None,
        **kwargs: Any,
    ) -> CrabroVectorStore:
        """Make a store with texts. ``database`` and the further arguments are those of the class."""
        store = cls(_needed(database), embedding, **kwargs)
        store.add_texts(texts, metadatas, ids=ids)
        return store

    @classmethod
    async def afrom_texts(
        cls,
        texts: list[str],
        embedding: Embeddings,
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: list[str] | None = None,
        database: crabro.Database | None = None,
        **kwargs: Any,
    ) -> CrabroVectorStore:
        """Make a store with texts. ``database`` and the further arguments are those of the class."""
        store = cls(_needed(database), embedding, **kwargs)
        await store.aadd_texts(texts, metadatas, ids=ids)
        return store

    # Writes

    def add_texts(
        self,
        texts: Iterable[str],
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: Sequence[str | None] | None = None,
        **kwargs: Any,
    ) -> list[str]:
        """Store texts, and return their ids. A text replaces that with the same id."""
        given = list(texts)
        vectors = self._embedding.embed_documents(given) if self._embedding is not None and given else None
        return self._records.put(_records(given, metadatas, ids, vectors))

    async def aadd_texts(
        self,
        texts: Iterable[str],
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: Sequence[str | None] | None = None,
        **kwargs: Any,
    ) -> list[str]:
        """Store texts, and return their ids. A text replaces that with the same id."""
        given = list(texts)
        vectors = await self._embedding.aembed_documents(given) if self._embedding is not None and given else None
        return await asyncio.to_thread(self._records.put, _records(given, metadatas, ids, vectors))

    def delete(
        self, ids: list[str] | None = None, *, filter: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> bool | None:
        """Remove documents by their ids or by a filter.

        :raises ValueError: without ids and filter; ``clear`` removes all
        """
        if (ids is None) == (filter is None):
            raise ValueError("delete needs ids or a filter; clear() removes all documents")
        if filter is not None:
            self._records.delete_where(condition_of(filter))
        else:
            self._records.delete(ids or [])
        return True

    async def adelete(
        self, ids: list[str] | None = None, *, filter: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> bool | None:
        """Remove documents by their ids or by a filter."""
        return await asyncio.to_thread(self.delete, ids, filter=filter)

    def clear(self) -> int:
        """Remove all documents of the group, and return their number."""
        return self._records.clear()

    async def aclear(self) -> int:
        """Remove all documents of the group, and return their number."""
        return await asyncio.to_thread(self.clear)

    # Reads

    def get_by_ids(self, ids: Sequence[str], /) -> list[Document]:
        """Return the documents with these ids that exist, in their order."""
        return [_document(each) for each in self._records.get(ids)]

    async def aget_by_ids(self, ids: Sequence[str], /) -> list[Document]:
        """Return the documents with these ids that exist, in their order."""
        return await asyncio.to_thread(self.get_by_ids, ids)

    def similarity_search(
        self, query: str, k: int = 4, *, filter: Mapping[str, Any] | None = None, by: By | None = None, **kwargs: Any
    ) -> list[Document]:
        """Return the best documents for a text."""
        return [document for document, _ in self.similarity_search_with_score(query, k, filter=filter, by=by)]

    async def asimilarity_search(
        self, query: str, k: int = 4, *, filter: Mapping[str, Any] | None = None, by: By | None = None, **kwargs: Any
    ) -> list[Document]:
        """Return the best documents for a text."""
        return [document for document, _ in await self.asimilarity_search_with_score(query, k, filter=filter, by=by)]

    def similarity_search_with_score(
        self, query: str, k: int = 4, *, filter: Mapping[str, Any] | None = None, by: By | None = None, **kwargs: Any
    ) -> list[tuple[Document, float]]:
        """Return the best documents and their scores.

        A score by vectors is the cosine, by words BM25, and by both the sum of the reciprocal ranks.
        """
        used = by or self._by
        vector = self._needed().embed_query(query) if used != "words" else None
        return self._search(query, vector, used, k, filter)

    async def asimilarity_search_with_score(
        self, query: str, k: int = 4, *, filter: Mapping[str, Any] | None = None, by: By | None = None, **kwargs: Any
    ) -> list[tuple[Document, float]]:
        """Return the best documents and their scores."""
        used = by or self._by
        vector = await self._needed().aembed_query(query) if used != "words" else None
        return await asyncio.to_thread(self._search, query, vector, used, k, filter)

    def similarity_search_by_vector(
        self, embedding: list[float], k: int = 4, *, filter: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> list[Document]:
        """Return the documents whose vectors are nearest."""
        return [document for document, _ in self._search(None, embedding, "vector", k, filter)]

    async def asimilarity_search_by_vector(
        self, embedding: list[float], k: int = 4, *, filter: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> list[Document]:
        """Return the documents whose vectors are nearest."""
        return await asyncio.to_thread(self.similarity_search_by_vector, embedding, k, filter=filter)

    def max_marginal_relevance_search(
        self,
        query: str,
        k: int = 4,
        fetch_k: int = 20,
        lambda_mult: float = 0.5,
        *,
        filter: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        """Return documents that are near to a text and far from each other."""
        vector = self._needed().embed_query(query)
        return self.max_marginal_relevance_search_by_vector(vector, k, fetch_k, lambda_mult, filter=filter)

    async def amax_marginal_relevance_search(
        self,
        query: str,
        k: int = 4,
        fetch_k: int = 20,
        lambda_mult: float = 0.5,
        *,
        filter: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        """Return documents that are near to a text and far from each other."""
        vector = await self._needed().aembed_query(query)
        return await self.amax_marginal_relevance_search_by_vector(vector, k, fetch_k, lambda_mult, filter=filter)

    def max_marginal_relevance_search_by_vector(
        self,
        embedding: list[float],
        k: int = 4,
        fetch_k: int = 20,
        lambda_mult: float = 0.5,
        *,
        filter: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        """Return documents that are near to a vector and far from each other."""
        found = self._records.search(
            vector=embedding,
            by="vector",
            limit=k,
            condition=_condition(filter),
            diversity=1 - lambda_mult,
            candidates=max(fetch_k, k, 1),
        )
        return [_document(each) for each in found]

    async def amax_marginal_relevance_search_by_vector(
        self,
        embedding: list[float],
        k: int = 4,
        fetch_k: int = 20,
        lambda_mult: float = 0.5,
        *,
        filter: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        """Return documents that are near to a vector and far from each other."""
        return await asyncio.to_thread(
            self.max_marginal_relevance_search_by_vector, embedding, k, fetch_k, lambda_mult, filter=filter
        )

    def _select_relevance_score_fn(self) -> Callable[[float], float]:
        if self._by != "vector":
            raise ValueError("scores by words have no upper limit, so there is no relevance from 0 to 1")
        # The cosine. Opposite directions are as irrelevant as independent ones.
        return lambda score: min(max(score, 0.0), 1.0)

    def _search(
        self, query: str | None, vector: Sequence[float] | None, by: By, k: int, filter: Mapping[str, Any] | None
    ) -> list[tuple[Document, float]]:
        found = self._records.search(query, vector=vector, by=by, limit=k, condition=_condition(filter))
        return [(_document(each), each.score or 0.0) for each in found]

    def _needed(self) -> Embeddings:
        if self._embedding is None:
            raise ValueError("a search by vectors needs a store with an embedding")
        return self._embedding


def _needed(database: crabro.Database | None) -> crabro.Database:
    if database is None:
        raise ValueError("database=crabro.open(…) or database=crabro.connect(…) is missing")
    return database


def _condition(filter: Mapping[str, Any] | None) -> Condition | None:
    return condition_of(filter) if filter else None


def _records(
    texts: Sequence[str],
    metadatas: Sequence[Mapping[str, Any]] | None,
    ids: Sequence[str | None] | None,
    vectors: Sequence[Sequence[float]] | None,
) -> list[Record]:
    for name, given in (("metadatas", metadatas), ("ids", ids)):
        if given is not None and len(given) != len(texts):
            raise ValueError(f"there are {len(texts)} texts and {len(given)} {name}")
    return [
        Record(
            (ids[i] if ids is not None else None) or uuid.uuid4().hex,
            text,
            metadatas[i] if metadatas is not None else {},
            vectors[i] if vectors is not None else None,
        )
        for i, text in enumerate(texts)
    ]


def _document(record: Record) -> Document:
    return Document(id=record.id, page_content=record.text or "", metadata=dict(record.metadata))


__all__ = ["By", "CrabroVectorStore"]
