"""Executes the notebook, and compares its outputs with those that are stored in it.

With the environment variable CRABRO_WRITE_NOTEBOOK it stores the outputs instead.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "mail.ipynb"


def outputs(notebook: Any) -> list[Any]:
    """Return the texts that each cell of code printed."""
    return [
        "".join(str(each.get("text", each.get("data", each.get("evalue")))) for each in cell.outputs)
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


# The client of kernels warns of its own files and sockets.
@pytest.mark.filterwarnings("ignore")
def test_the_notebook_prints_what_is_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRABRO_HEAP_MIB", "512")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    stored, executed = (nbformat.read(NOTEBOOK, as_version=4) for _ in range(2))  # type: ignore[no-untyped-call]

    client = NotebookClient(
        executed, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}},
        record_timing=False,
    )  # fmt: skip
    client.execute()

    if os.environ.get("CRABRO_WRITE_NOTEBOOK"):
        executed.metadata.language_info = {"name": "python"}
        nbformat.write(executed, NOTEBOOK)  # type: ignore[no-untyped-call]
    else:
        assert any(outputs(stored))
        assert outputs(executed) == outputs(stored)
