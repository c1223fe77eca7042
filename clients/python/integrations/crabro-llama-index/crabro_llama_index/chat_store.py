"""A chat store of LlamaIndex."""

from __future__ import annotations

import threading
import time
import uuid
from typing import Any

from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.llms import ChatMessage
from llama_index.core.storage.chat_store.base import BaseChatStore

import crabro
from crabro.records import group_of, text_of


class CrabroChatStore(BaseChatStore):
    """Keeps the messages of chats. The messages of a key are a group of a collection.

    A message is one document, so two programs can add messages to a chat at the same time. ``set_messages`` writes the
    new messages before it removes the old ones.

    :param database: from ``crabro.open`` or ``crabro.connect``
    :param collection: the name of the collection, which belongs to chat stores alone
    """

    collection: str = "llama_index_chats"

    _messages: crabro.Collection = PrivateAttr()
    _lock: Any = PrivateAttr()
    _last: int = PrivateAttr()

    def __init__(self, database: crabro.Database, *, collection: str = "llama_index_chats") -> None:
        super().__init__(**{"collection": collection})
        self._messages = database.collection(collection, fields={"message": "bytes", "role": "keyword"})
        self._lock = threading.Lock()
        self._last = 0

    @classmethod
    def class_name(cls) -> str:
        """Return the name of the class."""
        return "CrabroChatStore"

    def set_messages(self, key: str, messages: list[ChatMessage]) -> None:
        """Replace the messages of a key."""
        old = self._ids(key)
        self._add(key, messages)
        if old:
            self._of(key).delete(old)

    def get_messages(self, key: str) -> list[ChatMessage]:
        """Return the messages of a key, the oldest first."""
        return [message for _, message in self._sorted(key)]

    def add_message(self, key: str, message: ChatMessage, idx: int | None = None) -> None:
        """Add a message at the end."""
        if idx is not None:
            messages = self.get_messages(key)
            messages.insert(idx, message)
            self.set_messages(key, messages)
        else:
            self._add(key, [message])

    def delete_messages(self, key: str) -> list[ChatMessage] | None:
        """Remove the messages of a key, and return them; None if there are none."""
        found = self._sorted(key)
        if not found:
            return None
        self._of(key).delete([user_id for user_id, _ in found])
        return [message for _, message in found]

    def delete_message(self, key: str, idx: int) -> ChatMessage | None:
        """Remove the message at a position, and return it; None if there is none."""
        found = self._sorted(key)
        if not -len(found) <= idx < len(found):
            return None
        user_id, message = found[idx]
        self._of(key).delete([user_id])
        return message

    def delete_last_message(self, key: str) -> ChatMessage | None:
        """Remove the last message, and return it; None if there is none."""
        return self.delete_message(key, -1)

    def get_keys(self) -> list[str]:
        """Return the keys that have messages."""
        return sorted(text_of(group) for group in self._messages.groups())

    def _of(self, key: str) -> crabro.Collection:
        return self._messages.in_group(group_of(key))

    def _ids(self, key: str) -> list[str]:
        return [each.id for each in self._of(key).scan()]

    def _sorted(self, key: str) -> list[tuple[str, ChatMessage]]:
        found = sorted(self._of(key).scan(), key=lambda each: (each["position"], each.id))
        return [(each.id, ChatMessage.model_validate_json(each["message"])) for each in found]

    def _add(self, key: str, messages: list[ChatMessage]) -> None:
        documents = []
        for message in messages:
            documents.append(
                {
                    "position": self._next(),
                    "role": str(message.role.value),
                    "text": message.content,
                    "message": message.model_dump_json().encode(),
                }
            )
        if documents:
            self._of(key).upsert(documents, ids=[uuid.uuid4().hex for _ in documents])

    def _next(self) -> int:
        """Return a position after all others of this process, and after those of others by the clock."""
        with self._lock:
            self._last = max(self._last + 1, time.time_ns())
            return self._last
