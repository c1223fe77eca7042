from __future__ import annotations

import builtins
from datetime import date, datetime, timezone
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import crabro

COLUMNS: dict[str, list[Any]] = {
    "id": ["a", "b", "c"],
    "title": ["boat", "car", None],
    "count": [1, 2, 3],
    "price": [1.5, None, 2.5],
    "live": [True, False, True],
    "at": [datetime(2024, 5, 1, 10, tzinfo=timezone.utc)] * 3,
}


def rows(collection: crabro.Collection) -> dict[str, dict[str, Any]]:
    return {each.id: dict(each) for each in collection}


EXPECTED = {
    "a": {"title": "boat", "count": 1, "price": 1.5, "live": True, "at": COLUMNS["at"][0]},
    "b": {"title": "car", "count": 2, "live": False, "at": COLUMNS["at"][0]},
    "c": {"count": 3, "price": 2.5, "live": True, "at": COLUMNS["at"][0]},
}


def test_stores_tables_of_pandas(collection: crabro.Collection) -> None:
    assert collection.add(pd.DataFrame(COLUMNS)) == ["a", "b", "c"]
    assert rows(collection) == EXPECTED


def test_stores_tables_of_polars(collection: crabro.Collection) -> None:
    assert collection.add(pl.DataFrame(COLUMNS)) == ["a", "b", "c"]
    assert rows(collection) == EXPECTED


def test_stores_tables_of_arrow(collection: crabro.Collection) -> None:
    assert collection.add(pa.table(COLUMNS)) == ["a", "b", "c"]
    assert rows(collection) == EXPECTED


def test_stores_vectors_of_numpy(collection: crabro.Collection) -> None:
    vectors: Any = np.eye(4, dtype=np.float32)
    collection.add(pd.DataFrame({"id": ["a", "b"], "v": [vectors[0], vectors[1]], "n": np.array([1, 2])}))

    assert collection.fields() == {"v": "vector", "n": "int"}
    assert collection.search(vector=vectors[1], limit=1).ids == ["b"]


def test_results_become_tables(collection: crabro.Collection) -> None:
    collection.add(pd.DataFrame(COLUMNS))
    result = collection.search(order="count")

    frame = result.to_pandas()
    assert list(frame.columns[:2]) == ["id", "score"]
    assert list(frame["id"]) == ["a", "b", "c"]
    assert list(frame["count"]) == [1, 2, 3]
    assert frame["title"].isna().tolist() == [False, False, True]
    polar = result.to_polars()
    assert polar["title"].to_list() == ["boat", "car", None]
    assert polar["at"].to_list() == COLUMNS["at"]
    arrow = result.to_arrow()
    assert arrow.column("price").to_pylist() == [1.5, None, 2.5]
    assert collection.get(["a", "c"]).to_pandas()["count"].tolist() == [1, 3]
    assert collection.get(["c"]).to_polars()["price"].to_list() == [2.5]
    assert collection.get(["b"]).to_arrow().to_pylist() == [{"id": "b", **EXPECTED["b"]}]


def test_a_table_of_documents_can_be_stored_again(collection: crabro.Collection) -> None:
    collection.add([{"id": "a", "day": date(2024, 5, 1), "tags": ["x"]}, {"id": "b", "day": date(2024, 5, 2)}])
    before = rows(collection)

    collection.upsert(collection.get(["a", "b"]).to_polars())
    collection.upsert(collection.get(["a", "b"]).to_arrow())
    collection.upsert(collection.get(["a", "b"]))

    assert rows(collection) == before


@pytest.mark.parametrize("package", ["pandas", "polars", "pyarrow"])
def test_names_the_package_that_is_missing(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    imported = builtins.__import__

    def without(name: str, *arguments: Any, **more: Any) -> Any:
        if name == package:
            raise ImportError(name)
        return imported(name, *arguments, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    result = crabro.SearchResult([crabro.Hit("a", {"n": 1}, 0.5)], 1)
    with pytest.raises(crabro.MissingPackageError, match=f"pip install {package}"):
        getattr(result, "to_arrow" if package == "pyarrow" else f"to_{package}")()
