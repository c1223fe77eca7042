"""The exceptions of this package.

Each has a message, and where they help a ``place`` (a field, a document, a position in a query) and a ``hint``
(what to do). ``str()`` of an exception contains all three.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class CrabroError(Exception):
    """The base of all exceptions of this package.

    :ivar message: what is wrong, in one sentence
    :ivar place: where it is wrong, such as a field or a document
    :ivar hint: what to do
    """

    def __init__(self, message: str, *, place: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.hint = hint

    def __str__(self) -> str:
        text = f"{self.place}: {self.message}" if self.place else self.message
        return f"{text}\nhint: {self.hint}" if self.hint else text


class ServerStartError(CrabroError):
    """The server of :func:`crabro.open` did not start, or no server is installed."""


class DatabaseInUseError(CrabroError):
    """Another process has the directory open."""


class ConnectionLostError(CrabroError):
    """The server did not answer. A write may or may not be done."""


class ServerBusyError(CrabroError):
    """The server was at a limit for longer than the time of the call."""


class ServerFullError(CrabroError):
    """Disk or memory of the server is above its limit. Reads and removals work."""


class AccessError(CrabroError):
    """The token is missing or wrong, or lacks a permission."""


class ServerError(CrabroError):
    """The server answered in a way that this package does not expect."""


class SchemaError(CrabroError):
    """The schema of a collection cannot be made or changed as asked."""


class FieldError(CrabroError, ValueError):
    """A value of a document does not fit its field, or cannot be stored."""


class QueryError(CrabroError, ValueError):
    """A query or a condition is wrong."""


class QueryTimeoutError(CrabroError, TimeoutError):
    """The time of a query was over before anything was found."""


class MissingPackageError(CrabroError, ImportError):
    """A conversion needs a package that is not installed."""


@dataclass(frozen=True)
class Failure:
    """A document that was not written.

    :ivar index: the position in the documents of the call, from 0
    :ivar id: the id of the document
    :ivar status: the HTTP status of this write; 0 if the server did not answer
    :ivar message: the reason
    """

    index: int
    id: str
    status: int
    message: str


class FeedError(CrabroError):
    """Some documents were not written. The others are stored.

    :ivar failures: the first of them
    :ivar failed: the number of documents that were not written
    :ivar written: the number of documents that are stored
    """

    def __init__(
        self,
        message: str,
        *,
        failures: Sequence[Failure],
        failed: int,
        written: int,
        hint: str | None = None,
    ) -> None:
        place = f"document {failures[0].index} (id {failures[0].id!r})" if failures else None
        super().__init__(message, place=place, hint=hint)
        self.failures = tuple(failures)
        self.failed = failed
        self.written = written


class DuplicateIdError(FeedError):
    """``add`` found documents with the same ids. It does not replace them."""
