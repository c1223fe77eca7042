from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

import crabro

from .conftest import letters


def test_does_what_the_blocking_classes_do(db: crabro.Database, name: str) -> None:
    async def main() -> None:
        async with crabro.aconnect(db.url, db.token, config_url=db.config_url) as other:
            notes = other.collection(name, embed=embed)
            assert await notes.add([{"id": "a", "text": "boat", "n": 1}]) == ["a"]
            assert await notes.upsert(stream()) == [str(i) for i in range(1500)]
            assert await notes.count() == 1501
            assert (await notes.search("boat", limit=1)).ids == ["a"]
            assert (await notes.search("boat", by="vector", limit=1)).ids == ["a"]
            assert (await notes.search("boa", by="words")).ids == []
            assert (await notes.search("boa", by="words", beginning=True)).ids == ["a"]
            assert (await notes.search("noet 7", by="words")).ids == []
            assert (await notes.search("ntoes", by="words", typos=False)).ids == []
            assert await notes.get("a") == {"text": "boat", "n": 1}
            assert (await notes.get(["a", "none"])).ids == ["a"]
            assert await notes.update("a", [{"n": 2}]) == 1
            assert sorted([each.id async for each in notes.scan({"n": 2})]) == ["2", "a"]
            assert len([each async for each in notes]) == 1501
            assert await notes.delete(["a"]) == 1
            assert await notes.delete(where={"n": {"<": 10}}) == 10
            assert await notes.fields() == {"text": "text", "n": "int"}
            assert await notes.groups() == {"me": 1490}
            assert name in await other.collections()
            assert await notes.in_group("ann").count() == 0
            assert await notes.clear() == 1490
            await other.drop(name)
            assert name not in await other.collections()

    async def embed(texts: list[str]) -> list[list[float]]:
        await asyncio.sleep(0)
        return letters(texts)

    async def stream() -> AsyncIterator[dict[str, Any]]:
        for i in range(1500):
            yield {"id": i, "text": f"note {i}", "n": i}

    asyncio.run(main())


def test_searches_at_the_same_time(db: crabro.Database, name: str) -> None:
    db.collection(name, embed=letters).add([{"id": i, "text": f"note {i}"} for i in range(20)])

    async def main() -> list[list[str]]:
        async with crabro.aconnect(db.url, db.token, config_url=db.config_url) as other:
            notes = other.collection(name, embed=letters)
            results = await asyncio.gather(
                *(notes.search(f"note {i}", match="all", limit=1, by="words") for i in range(20))
            )
            return [result.ids for result in results]

    assert asyncio.run(main()) == [[str(i)] for i in range(20)]


def test_rejects_asynchronous_functions_without_a_loop(db: crabro.Database, name: str) -> None:
    async def embed(texts: list[str]) -> list[list[float]]:
        return letters(texts)

    with pytest.raises(crabro.QueryError, match=r"use crabro\.aopen"):
        db.collection(name, embed=embed).add([{"text": "a"}])


def test_shares_the_server_of_this_process(db: crabro.Database, name: str) -> None:
    async def main() -> None:
        assert db.path is not None
        other = await crabro.aopen(db.path)
        assert other.url == db.url
        await other.collection(name).add([{"n": 1}])
        await other.close()
        await other.close()

    asyncio.run(main())
    assert db.collection(name).count() == 1
