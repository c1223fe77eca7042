"""Runs the examples of the manual."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[4] / "docs" / "python-integrations.md"

#: An example, and the output that follows it.
EXAMPLE = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def test_the_examples_of_the_page_print_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CRABRO_HEAP_MIB", "512")
    names: dict[str, Any] = {"__name__": "page"}
    examples = EXAMPLE.findall(PAGE.read_text(encoding="utf-8"))
    assert len(examples) > 3
    try:
        for code, expected in examples:
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(compile(code, str(PAGE), "exec"), names)
            assert output.getvalue() == expected, code
    finally:
        if "db" in names:
            names["db"].close()
