"""Crabro for Haystack."""

from .document_store import CrabroDocumentStore
from .retrievers import CrabroBM25Retriever, CrabroEmbeddingRetriever, CrabroHybridRetriever

__version__ = "0.1.0"

__all__ = ["CrabroBM25Retriever", "CrabroDocumentStore", "CrabroEmbeddingRetriever", "CrabroHybridRetriever"]
