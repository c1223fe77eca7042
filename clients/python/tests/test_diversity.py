from __future__ import annotations

import pytest

import crabro
from crabro._diversity import diverse
from crabro.results import Hit

from .conftest import letters


def ids(*args: float, has_cosines: bool = True) -> list[str]:
    hits = [
        Hit("a", {}, 0.9, [1, 0]),
        Hit("b", {}, 0.8, [1, 0.01]),
        Hit("c", {}, 0.3, [0, 1]),
        Hit("d", {}, 0.2, None),
        Hit("e", {}, 0.1, [0, 0]),
    ]
    limit, diversity = args
    return [each.id for each in diverse(hits, int(limit), diversity, has_cosines)]


def test_without_diversity_the_best_ones_are_chosen() -> None:
    assert ids(3, 0.0) == ["a", "b", "c"]
    assert ids(9, 0.0) == ["a", "b", "c", "d", "e"]
    assert diverse([], 3, 0.5, True) == []


def test_near_hits_are_worth_less() -> None:
    assert ids(3, 0.5) == ["a", "c", "d"]
    assert ids(2, 1.0) == ["a", "c"]


def test_scores_that_are_no_cosines_are_relative() -> None:
    hits = [Hit("a", {}, 0.03, [1, 0]), Hit("b", {}, 0.029, [1, 0]), Hit("c", {}, 0.001, [0, 1])]

    assert [each.id for each in diverse(hits, 2, 0.3, False)] == ["a", "b"]
    assert [each.id for each in diverse(hits, 2, 0.3, True)] == ["a", "c"]


def test_a_search_can_ask_for_it(db: crabro.Database, name: str) -> None:
    found = db.collection(name, embed=letters)
    found.add([{"id": str(i), "text": text} for i, text in enumerate(["boat", "boats", "tea", "boat sea"])])

    plain = found.search("boat", by="vector", limit=2)
    diverse_hits = found.search("boat", by="vector", limit=2, diversity=0.9)
    high = found.search("boat", by="vector", min_score=0.99)

    assert plain.ids == ["0", "1"]
    assert diverse_hits.ids == ["0", "2"]
    assert diverse_hits[0].vector is None
    assert found.search("boat", limit=2, diversity=0.5, include_vectors=True)[0].vector is not None
    assert high.ids == ["0"]
    assert found.exists(["0", "x", "3"]) == [True, False, True]
    assert db.collection(f"{name}_none").exists(["0"]) == [False]


@pytest.mark.parametrize(
    "wrong",
    [
        {"diversity": 1.1},
        {"candidates": 3},
        {"diversity": 0.5, "by": "words"},
        {"diversity": 0.5, "order": "x"},
        {"diversity": 0.5, "offset": 1},
        {"diversity": 0.5, "candidates": 0},
        {"diversity": 0.5, "candidates": 1001},
    ],
)
def test_wrong_questions_are_refused(db: crabro.Database, wrong: dict[str, object]) -> None:
    with pytest.raises(crabro.QueryError):
        db.collection("shared").search("x", **wrong)  # type: ignore[arg-type]
