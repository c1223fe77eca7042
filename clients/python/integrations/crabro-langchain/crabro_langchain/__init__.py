"""Crabro for LangChain."""

from .indexing import CrabroDocumentIndex, CrabroRecordManager
from .retrievers import CrabroRetriever
from .vectorstores import CrabroVectorStore

__version__ = "0.1.0"

__all__ = ["CrabroDocumentIndex", "CrabroRecordManager", "CrabroRetriever", "CrabroVectorStore"]
