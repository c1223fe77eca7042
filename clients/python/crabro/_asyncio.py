"""Performs steps in an event loop."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any, TypeVar

import httpx2 as httpx

from ._http import Place, Received, arguments, lost
from ._steps import Call, Calls, Effect, Pause, Reply, Steps, Vectors
from .errors import ConnectionLostError, CrabroError

T = TypeVar("T")


class AsyncRunner:
    """Sends requests by the event loop in which it is used."""

    def __init__(self, place: Place) -> None:
        self._place = place
        # A server of this machine is reached without a proxy.
        self._client = httpx.AsyncClient(headers=place.headers, trust_env=not place.is_local)
        self._is_closed = False

    async def run(self, steps: Steps[T]) -> T:
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
                value = await self._perform(effect)
            except Exception as e:
                # The steps decide: they try again, or raise it.
                error = e

    async def _perform(self, effect: Effect) -> Any:
        if isinstance(effect, Call):
            return await self._send(effect)
        if isinstance(effect, Calls):
            return await asyncio.gather(*(self._outcome(call) for call in effect.calls))
        if isinstance(effect, Vectors):
            if inspect.iscoroutinefunction(effect.function):
                return await effect.function(effect.texts)
            # A model computes for long, so the loop goes on meanwhile.
            vectors = await asyncio.to_thread(effect.function, effect.texts)
            return await vectors if inspect.isawaitable(vectors) else vectors
        assert isinstance(effect, Pause)
        await asyncio.sleep(effect.seconds)
        return None

    async def _outcome(self, call: Call) -> Reply | CrabroError:
        try:
            return await self._send(call)
        except CrabroError as e:
            return e

    async def _send(self, call: Call) -> Reply:
        if self._is_closed:
            raise ConnectionLostError("the database is closed", hint="open it again")
        address = self._place.address(call)
        try:
            async with self._client.stream(call.method, address, **arguments(call)) as response:
                received = Received(response.status_code, response.headers)
                async for part in response.aiter_bytes():
                    received.add(part)
                return received.reply()
        except httpx.TransportError as e:
            raise lost(e, address) from e

    async def close(self) -> None:
        self._is_closed = True
        await self._client.aclose()
