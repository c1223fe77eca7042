"""Store documents and search them by words, vectors, values and dates.

::

    import crabro

    db = crabro.open("~/notes.crabro")
    notes = db.collection("notes")
    notes.add([{"title": "Boat", "text": "A trip along the coast"}])
    for hit in notes.search("coast"):
        print(hit.score, hit["title"])

:func:`open` starts a server of its own and stops it at the end of the process. :func:`connect` uses one that runs.
:func:`aopen` and :func:`aconnect` are their twins for asyncio.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path

from . import _http, _process
from ._core import Model
from .aio import AsyncCollection, AsyncDatabase, Opening
from .database import Collection, Database
from .errors import (
    AccessError,
    ConnectionLostError,
    CrabroError,
    DatabaseInUseError,
    DuplicateIdError,
    Failure,
    FeedError,
    FieldError,
    MissingPackageError,
    QueryError,
    QueryTimeoutError,
    SchemaError,
    ServerBusyError,
    ServerError,
    ServerFullError,
    ServerStartError,
)
from .results import Document, Documents, Hit, SearchResult

__version__ = "0.1.0"

__all__ = [
    "AccessError",
    "AsyncCollection",
    "AsyncDatabase",
    "Collection",
    "ConnectionLostError",
    "CrabroError",
    "Database",
    "DatabaseInUseError",
    "Document",
    "Documents",
    "DuplicateIdError",
    "Failure",
    "FeedError",
    "FieldError",
    "Hit",
    "MissingPackageError",
    "Model",
    "QueryError",
    "QueryTimeoutError",
    "SchemaError",
    "SearchResult",
    "ServerBusyError",
    "ServerError",
    "ServerFullError",
    "ServerStartError",
    "aconnect",
    "aopen",
    "connect",
    "open",
]


def open(
    path: str | os.PathLike[str], *, settings: Mapping[str, str] | None = None, heap_mib: int | None = None
) -> Database:
    """Open a directory: start a server that has its data there, and stop it at the end of this process.

    The server listens on the loopback address alone, on free ports, and answers only requests with a token that it
    gets at its start. If this process has the directory open already, the same server is used.

    :param path: the directory; it is made if it does not exist
    :param settings: settings of the server, such as ``{"warmUp": "0s"}``
    :param heap_mib: the heap of the server in MiB; by default a quarter of the memory, at most 4096
    :raises DatabaseInUseError: if another process has the directory open
    :raises ServerStartError: if there is no server, or it does not start
    """
    server = _process.start(Path(path), settings or {}, heap_mib)
    return Database(server.place, server)


def connect(url: str, token: str | None = None, *, config_url: str | None = None) -> Database:
    """Use a server that runs.

    :param url: its address for documents and searches, such as ``http://127.0.0.1:8080``
    :param token: the token of an access file, if the server has one
    :param config_url: its address for schemas; by default port 19071 of the same host
    """
    return Database(_http.place(url, token, config_url), None)


def aopen(
    path: str | os.PathLike[str], *, settings: Mapping[str, str] | None = None, heap_mib: int | None = None
) -> Opening:
    """Open a directory as :func:`open` does, for asyncio: ``async with crabro.aopen(path) as db``."""

    async def opened() -> AsyncDatabase:
        server = await asyncio.to_thread(_process.start, Path(path), settings or {}, heap_mib)
        return AsyncDatabase(server.place, server)

    return Opening(opened)


def aconnect(url: str, token: str | None = None, *, config_url: str | None = None) -> Opening:
    """Use a server that runs, as :func:`connect` does, for asyncio."""

    async def connected() -> AsyncDatabase:
        return AsyncDatabase(_http.place(url, token, config_url), None)

    return Opening(connected)
