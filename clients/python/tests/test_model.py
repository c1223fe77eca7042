from __future__ import annotations

from pathlib import Path

import pytest

import crabro

MODELS = Path(__file__).parents[3] / "samples" / "commits" / "target" / "application" / "models"


@pytest.mark.skipif(not list(MODELS.glob("*.onnx")), reason="the model of the samples is not built")
def test_the_server_runs_the_model_of_a_directory(db: crabro.Database, name: str) -> None:
    notes = db.collection(name, embed=MODELS)
    notes.add(
        [
            {"id": "boat", "title": "A boat", "text": "We sailed along the coast for a week."},
            {"id": "tea", "title": "Tea", "text": "Boil water and wait three minutes."},
            {"id": "tax", "title": "Taxes", "text": "The form is due in May."},
        ]
    )

    assert notes.search("a holiday on the sea", by="vector", limit=1).ids == ["boat"]
    assert notes.search("hot drink", limit=1).ids == ["tea"]
    assert notes.search("coast", by="words").ids == ["boat"]
    hit = notes.search("money for the state", by="vector", limit=1, include_vectors=True)[0]
    assert hit.id == "tax"
    assert hit.vector is not None
    assert len(hit.vector) == 384
    assert "embedding" not in hit
    # Another program needs no model: the server has it.
    assert db.collection(name).search("a holiday on the sea", by="vector", limit=1).ids == ["boat"]
    notes.add([{"id": "new", "text": "x", "late": 5}])
    assert notes.search("a holiday on the sea", by="vector", limit=1).ids == ["boat"]
