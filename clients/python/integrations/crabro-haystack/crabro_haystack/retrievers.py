"""Retrievers of Haystack."""

from __future__ import annotations

import asyncio
from typing import Any

from haystack import component, default_from_dict, default_to_dict
from haystack.dataclasses import Document
from haystack.document_stores.types import FilterPolicy, apply_filter_policy

from .document_store import CrabroDocumentStore


class _Retriever:
    """What the retrievers have in common.

    :param document_store: where documents are searched
    :param filters: a condition on the documents
    :param top_k: the number of documents
    :param filter_policy: whether filters of a call replace ``filters``, or both must hold
    :param min_score: documents with a lower score are left out
    :param return_embedding: whether documents have their vectors
    """

    def __init__(
        self,
        document_store: CrabroDocumentStore,
        *,
        filters: dict[str, Any] | None = None,
        top_k: int = 10,
        filter_policy: str | FilterPolicy = FilterPolicy.REPLACE,
        min_score: float | None = None,
        return_embedding: bool = False,
    ) -> None:
        if not isinstance(document_store, CrabroDocumentStore):
            raise TypeError("document_store is a CrabroDocumentStore")
        if top_k <= 0:
            raise ValueError(f"top_k is above 0, and not {top_k}")
        self.document_store = document_store
        self.filters = filters
        self.top_k = top_k
        self.filter_policy = FilterPolicy.from_str(filter_policy) if isinstance(filter_policy, str) else filter_policy
        self.min_score = min_score
        self.return_embedding = return_embedding

    def to_dict(self) -> dict[str, Any]:
        """Return the retriever as a dictionary."""
        return default_to_dict(
            self,
            document_store=self.document_store.to_dict(),
            filters=self.filters,
            top_k=self.top_k,
            filter_policy=self.filter_policy.value,
            min_score=self.min_score,
            return_embedding=self.return_embedding,
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Any:
        """Return the retriever of a dictionary."""
        parameters = dict(data.get("init_parameters", {}))
        if isinstance(parameters.get("document_store"), dict):
            parameters["document_store"] = CrabroDocumentStore.from_dict(parameters["document_store"])
        return default_from_dict(cls, {**data, "init_parameters": parameters})

    def _found(
        self,
        by: Any,
        query: str | None,
        embedding: list[float] | None,
        filters: dict[str, Any] | None,
        top_k: int | None,
    ) -> dict[str, list[Document]]:
        found = self.document_store.search(
            query,
            embedding,
            by=by,
            filters=apply_filter_policy(self.filter_policy, self.filters, filters),
            top_k=self.top_k if top_k is None else top_k,
            min_score=self.min_score,
            return_embedding=self.return_embedding,
        )
        return {"documents": found}


@component
class CrabroBM25Retriever(_Retriever):
    """Finds documents that have words of the query. Scores are those of BM25."""

    @component.output_types(documents=list[Document])
    def run(
        self, query: str, filters: dict[str, Any] | None = None, top_k: int | None = None
    ) -> dict[str, list[Document]]:
        """Return the best documents for a query."""
        return self._found("words", query, None, filters, top_k)

    @component.output_types(documents=list[Document])
    async def run_async(
        self, query: str, filters: dict[str, Any] | None = None, top_k: int | None = None
    ) -> dict[str, list[Document]]:
        """Return the best documents for a query."""
        return await asyncio.to_thread(self._found, "words", query, None, filters, top_k)


@component
class CrabroEmbeddingRetriever(_Retriever):
    """Finds the documents whose vectors are nearest. Scores are cosines."""

    @component.output_types(documents=list[Document])
    def run(
        self, query_embedding: list[float], filters: dict[str, Any] | None = None, top_k: int | None = None
    ) -> dict[str, list[Document]]:
        """Return the nearest documents."""
        return self._found("vector", None, query_embedding, filters, top_k)

    @component.output_types(documents=list[Document])
    async def run_async(
        self, query_embedding: list[float], filters: dict[str, Any] | None = None, top_k: int | None = None
    ) -> dict[str, list[Document]]:
        """Return the nearest documents."""
        return await asyncio.to_thread(self._found, "vector", None, query_embedding, filters, top_k)


@component
class CrabroHybridRetriever(_Retriever):
    """Finds documents by words and by vectors. Scores are sums of the reciprocal ranks."""

    @component.output_types(documents=list[Document])
    def run(
        self,
        query: str,
        query_embedding: list[float],
        filters: dict[str, Any] | None = None,
        top_k: int | None = None,
    ) -> dict[str, list[Document]]:
        """Return the best documents for a query and its vector."""
        return self._found("both", query, query_embedding, filters, top_k)

    @component.output_types(documents=list[Document])
    async def run_async(
        self,
        query: str,
        query_embedding: list[float],
        filters: dict[str, Any] | None = None,
        top_k: int | None = None,
    ) -> dict[str, list[Document]]:
        """Return the best documents for a query and its vector."""
        return await asyncio.to_thread(self._found, "both", query, query_embedding, filters, top_k)
