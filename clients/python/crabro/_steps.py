"""Work that needs a server, without a choice between threads and asyncio.

A function of this package that calls the server is a generator. It yields effects, and receives their results.
:mod:`crabro._blocking` and :mod:`crabro._asyncio` perform the effects. So each algorithm exists once.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Awaitable, Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, TypeVar

from .errors import (
    AccessError,
    ConnectionLostError,
    CrabroError,
    QueryError,
    QueryTimeoutError,
    ServerBusyError,
    ServerError,
    ServerFullError,
)

T = TypeVar("T")

Vector: TypeAlias = Sequence[float]
EmbedFunction: TypeAlias = (
    "Callable[[list[str]], Sequence[Vector]] | Callable[[list[str]], Awaitable[Sequence[Vector]]]"
)

#: The largest answer that is read. A larger one is an error.
REPLY_BYTES_MAX = 256 * 1024 * 1024

#: How often a request without an answer is sent again.
TRIES_MAX = 3

#: The longest pause before a busy server is asked again, in seconds.
PAUSE_MAX = 10.0

#: The longest time that a server can be busy before a call fails, in seconds.
BUSY_MAX = 600.0


@dataclass(frozen=True)
class Call:
    """A request.

    ``is_repeatable`` says whether it can be sent again if no answer came, ``waits_if_busy`` whether it is sent again if
    the server has no capacity for it.
    """

    method: str
    path: str
    params: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    content_type: str | None = None
    port: Literal["documents", "config"] = "documents"
    timeout: float = 200.0
    is_repeatable: bool = True
    waits_if_busy: bool = True


@dataclass(frozen=True)
class Reply:
    """An answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError as e:
            shown = self.body[:200].decode("utf-8", "replace")
            raise ServerError(
                f"the server sent something that is not JSON, with status {self.status}: {shown!r}",
                hint="check that the address is that of a Crabro server",
            ) from e

    def problem(self) -> str:
        """Return the message of an answer that reports an error."""
        try:
            parsed = json.loads(self.body)
        except ValueError:
            return self.body[:500].decode("utf-8", "replace") or f"status {self.status}"
        if isinstance(parsed, dict):
            errors = parsed.get("root", {}).get("errors") if isinstance(parsed.get("root"), dict) else None
            if errors:
                return "; ".join(str(each.get("message") or each.get("summary")) for each in errors)
            if "message" in parsed:
                return str(parsed["message"])
        return self.body[:500].decode("utf-8", "replace")

    def pause(self, otherwise: float) -> float:
        """Return how long the server asks to wait, in seconds."""
        try:
            asked = float(self.headers.get("retry-after", ""))
        except ValueError:
            return otherwise
        return min(max(asked, 0.0), PAUSE_MAX)


@dataclass(frozen=True)
class Calls:
    """Requests that are sent at the same time. The result has an answer or an error for each."""

    calls: Sequence[Call]


@dataclass(frozen=True)
class Vectors:
    """Texts for the function of the user that makes vectors of them."""

    function: EmbedFunction
    texts: list[str]


@dataclass(frozen=True)
class Pause:
    seconds: float


Effect: TypeAlias = "Call | Calls | Vectors | Pause"
Steps: TypeAlias = Generator[Effect, Any, T]


@contextlib.contextmanager
def understood() -> Iterator[None]:
    """Reads an answer. If it has another form, that is an error of the server."""
    try:
        yield
    except CrabroError:
        raise
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as e:
        raise ServerError(
            f"the server sent an answer of an unknown form: {type(e).__name__} {e}",
            hint="check that the address is that of a Crabro server, and its version",
        ) from e


def exchange(call: Call) -> Steps[Reply]:
    """Send a request; wait for a busy server, and send again what is repeatable."""
    waited = 0.0
    pause = 0.2
    lost = 0
    while True:
        try:
            reply: Reply = yield call
        except ConnectionLostError:
            lost += 1
            if not call.is_repeatable or lost == TRIES_MAX:
                raise
            yield Pause(pause)
            pause = min(2 * pause, PAUSE_MAX)
            continue
        if reply.status not in (429, 503) or not call.waits_if_busy:
            return reply
        seconds = reply.pause(pause)
        if waited + seconds > min(BUSY_MAX, call.timeout):
            raise ServerBusyError(reply.problem(), hint="try again later, or send fewer requests at once")
        yield Pause(seconds)
        waited += seconds
        pause = min(2 * pause, PAUSE_MAX)


def refusal(reply: Reply, place: str | None = None) -> CrabroError:
    """Return the exception for an answer with an error."""
    problem = reply.problem()
    if reply.status in (401, 403):
        return AccessError(problem, place=place, hint="check the token, and its permissions and groups")
    if reply.status in (400, 404, 412, 413, 414):
        return QueryError(problem, place=place)
    if reply.status == 429:
        return ServerBusyError(problem, place=place)
    if reply.status == 504:
        return QueryTimeoutError(problem, place=place, hint="set a longer timeout")
    if reply.status == 507:
        return ServerFullError(problem, place=place, hint="delete documents, or make room on the disk")
    return ServerError(f"status {reply.status}: {problem}", place=place)


def checked(call: Call, place: str | None = None) -> Steps[Any]:
    """Send a request, and return the JSON of an answer with status 200."""
    reply = yield from exchange(call)
    if reply.status != 200:
        raise refusal(reply, place)
    return reply.json()


def embedded(function: EmbedFunction, texts: list[str]) -> Steps[list[list[float]]]:
    """Call the function that makes vectors, and check its result."""
    result = yield Vectors(function, texts)
    vectors = [[float(cell) for cell in vector] for vector in result]
    if len(vectors) != len(texts):
        raise QueryError(
            f"embed returned {len(vectors)} vectors for {len(texts)} texts",
            hint="embed gets a list of texts and returns a list with a vector for each",
        )
    if len({len(vector) for vector in vectors}) > 1:
        raise QueryError("embed returned vectors of different lengths")
    return vectors
