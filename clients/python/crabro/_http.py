"""Requests and answers of both clients."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import httpx2 as httpx

from ._steps import REPLY_BYTES_MAX, Call, Reply
from .errors import ConnectionLostError, CrabroError, ServerError

CONFIG_PORT = 19071

#: The time limit of a connection, in seconds.
CONNECT_TIMEOUT = 10.0


@dataclass(frozen=True)
class Place:
    """Where a server is, and the token that it asks for."""

    url: str
    config_url: str
    token: str | None

    @property
    def headers(self) -> dict[str, str]:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if self.is_local:
            # Without a network, compression costs more than it saves.
            headers["Accept-Encoding"] = "identity"
        return headers

    @property
    def is_local(self) -> bool:
        return (urlsplit(self.url).hostname or "") in ("127.0.0.1", "localhost", "::1")

    def address(self, call: Call) -> str:
        return (self.config_url if call.port == "config" else self.url) + call.path


def place(url: str, token: str | None, config_url: str | None) -> Place:
    """Return the place of a server.

    :raises CrabroError: if an address is none of http or https
    """
    base = _checked(url)
    if config_url is None:
        parts = urlsplit(base)
        host = parts.hostname or ""
        shown = f"[{host}]" if ":" in host else host
        config_url = urlunsplit((parts.scheme, f"{shown}:{CONFIG_PORT}", "", "", ""))
    return Place(base, _checked(config_url), token)


def _checked(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise CrabroError(f"{url!r} is no address of a server", hint="write it as http://127.0.0.1:8080")
    if parts.username or parts.password:
        raise CrabroError("an address has no user and password here", hint="give the token: connect(url, token)")
    return urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))


def arguments(call: Call) -> dict[str, Any]:
    """Return the arguments of a request for the HTTP library."""
    headers = {"Accept": "application/json"}
    if call.content_type is not None:
        headers["Content-Type"] = call.content_type
    return {
        "params": dict(call.params),
        "content": call.body,
        "headers": headers,
        "timeout": httpx.Timeout(call.timeout, connect=CONNECT_TIMEOUT),
    }


class Received:
    """The bytes of an answer, as many as are permitted."""

    def __init__(self, status: int, headers: Mapping[str, str]) -> None:
        self._status = status
        self._headers = {name.lower(): value for name, value in headers.items()}
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, part: bytes) -> None:
        self._size += len(part)
        if self._size > REPLY_BYTES_MAX:
            raise ServerError(
                f"the answer of the server has more than {REPLY_BYTES_MAX} bytes",
                hint="ask for fewer documents at once",
            )
        self._parts.append(part)

    def reply(self) -> Reply:
        return Reply(self._status, self._headers, b"".join(self._parts))


def lost(error: Exception, address: str) -> ConnectionLostError:
    return ConnectionLostError(
        f"the server did not answer: {type(error).__name__} {error}".rstrip(),
        place=address,
        hint="check that the server runs, and its address",
    )
