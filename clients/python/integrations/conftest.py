from __future__ import annotations

import itertools
import os
from collections.abc import Iterator

# These are read at the import of the libraries: nothing is reported, and nothing is downloaded.
os.environ.update(
    {
        "HAYSTACK_TELEMETRY_ENABLED": "False",
        "LANGCHAIN_TRACING_V2": "false",
        "LANGSMITH_TRACING": "false",
        "ANONYMIZED_TELEMETRY": "False",
        "DO_NOT_TRACK": "1",
        "HF_HUB_OFFLINE": "1",
        "NLTK_DATA": "/nonexistent",
        "NO_PROXY": "127.0.0.1",
    }
)

import pytest

import crabro

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[crabro.Database]:
    """Return the database of all tests: a server starts once."""
    path = tmp_path_factory.mktemp("data") / "test.crabro"
    with crabro.open(path, settings={"warmUp": "0s"}, heap_mib=512) as database:
        yield database


@pytest.fixture
def group() -> str:
    """Return the name of a group that no other test uses. The schemas of collections are deployed once for all."""
    return f"g{next(_numbers)}"
