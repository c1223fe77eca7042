from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

import crabro

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data") / "test.crabro"


@pytest.fixture(scope="session")
def db(directory: Path) -> Iterator[crabro.Database]:
    with crabro.open(directory, settings={"warmUp": "0s"}, heap_mib=512) as database:
        yield database


@pytest.fixture
def name() -> str:
    """Return the name of a collection that no other test uses."""
    return f"c{next(_numbers)}"


@pytest.fixture
def collection(db: crabro.Database, name: str) -> crabro.Collection:
    return db.collection(name)


@pytest.fixture
def shared(db: crabro.Database) -> crabro.Collection:
    """Return a group of its own in a collection that many tests use, whose schema is deployed once."""
    return db.collection("shared", group=f"g{next(_numbers)}")


def letters(texts: list[str]) -> list[list[float]]:
    """Return a vector for each text: how often each letter occurs, with an angle for every two different texts."""
    vectors = []
    for text in texts:
        counts = [0.1] * 26
        for c in text.lower():
            if "a" <= c <= "z":
                counts[ord(c) - ord("a")] += 1
        vectors.append(counts)
    return vectors
