"""Performs steps in the thread of the caller."""

from __future__ import annotations

import inspect
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import httpx2 as httpx

from ._feed import IN_FLIGHT
from ._http import Place, Received, arguments, lost
from ._steps import Call, Calls, Effect, Pause, Reply, Steps, Vectors
from .errors import ConnectionLostError, CrabroError, QueryError

T = TypeVar("T")


class BlockingRunner:
    """Sends requests by threads. Can be used by several threads."""

    def __init__(self, place: Place) -> None:
        self._place = place
        # A server of this machine is reached without a proxy.
        self._client = httpx.Client(headers=place.headers, trust_env=not place.is_local)
        self._lock = threading.Lock()
        self._senders: ThreadPoolExecutor | None = None
        self._is_closed = False

    def run(self, steps: Steps[T]) -> T:
        """Perform steps to their end, and return their result."""
        value: Any = None
        error: BaseException | None = None
        while True:
            try:
                effect: Effect = steps.throw(error) if error is not None else steps.send(value)
            except StopIteration as end:
                result: T = end.value
                return result
            value, error = None, None
            try:
                value = self._perform(effect)
            except Exception as e:
                # The steps decide: they try again, or raise it.
                error = e

    def _perform(self, effect: Effect) -> Any:
        if isinstance(effect, Call):
            return self._send(effect)
        if isinstance(effect, Calls):
            if len(effect.calls) == 1:
                return [self._outcome(effect.calls[0])]
            return list(self._pool().map(self._outcome, effect.calls))
        if isinstance(effect, Vectors):
            vectors = effect.function(effect.texts)
            if inspect.isawaitable(vectors):
                close = getattr(vectors, "close", None)
                if close is not None:
                    close()
                raise QueryError("embed is asynchronous", hint="use crabro.aopen or crabro.aconnect")
            return vectors
        assert isinstance(effect, Pause)
        time.sleep(effect.seconds)
        return None

    def _outcome(self, call: Call) -> Reply | CrabroError:
        try:
            return self._send(call)
        except CrabroError as e:
            return e

    def _send(self, call: Call) -> Reply:
        if self._is_closed:
            raise ConnectionLostError("the database is closed", hint="open it again")
        address = self._place.address(call)
        try:
            with self._client.stream(call.method, address, **arguments(call)) as response:
                received = Received(response.status_code, response.headers)
                for part in response.iter_bytes():
                    received.add(part)
                return received.reply()
        except httpx.TransportError as e:
            raise lost(e, address) from e

    def _pool(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._senders is None:
                self._senders = ThreadPoolExecutor(IN_FLIGHT, thread_name_prefix="crabro-feed")
            return self._senders

    def close(self) -> None:
        self._is_closed = True
        with self._lock:
            if self._senders is not None:
                self._senders.shutdown()
        self._client.close()
