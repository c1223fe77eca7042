"""A retriever of LangChain."""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict

from .vectorstores import By, CrabroVectorStore


class CrabroRetriever(BaseRetriever):
    """Finds documents of a store. ``invoke`` accepts ``k``, ``filter`` and ``by`` for one call.

    :ivar store: the store
    :ivar k: the number of documents
    :ivar filter: a condition on the metadata
    :ivar by: ``vector``, ``words`` or ``both``; by default as the store
    """

    store: CrabroVectorStore
    k: int = 4
    filter: dict[str, Any] | None = None
    by: By | None = None

    model_config = ConfigDict(arbitrary_types_allowed=True)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **kwargs: Any
    ) -> list[Document]:
        return self.store.similarity_search(query, **self._arguments(kwargs))

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, **kwargs: Any
    ) -> list[Document]:
        return await self.store.asimilarity_search(query, **self._arguments(kwargs))

    def _arguments(self, given: dict[str, Any]) -> dict[str, Any]:
        unknown = sorted(given.keys() - {"k", "filter", "by"})
        if unknown:
            raise TypeError(f"unknown arguments: {', '.join(unknown)}")
        return {"k": self.k, "filter": self.filter, "by": self.by} | given
