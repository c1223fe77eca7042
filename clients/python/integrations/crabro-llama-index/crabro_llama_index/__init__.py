"""Crabro for LlamaIndex."""

from .chat_store import CrabroChatStore
from .vector_store import CrabroVectorStore

__version__ = "0.1.0"

__all__ = ["CrabroChatStore", "CrabroVectorStore"]
