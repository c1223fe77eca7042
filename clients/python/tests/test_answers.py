"""Answers that no Crabro server sends."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest

from crabro import CrabroError, ServerError
from crabro._application import APPLICATION
from crabro._core import Core, Search, options
from crabro._fields import Fields
from crabro._schema import CollectionSchema, with_fields, written
from crabro._steps import Call, Calls, Reply

LIES: list[Any] = [
    None,
    5,
    [],
    {},
    "text",
    {"root": 5},
    {"root": {"children": [5], "coverage": 5, "fields": {"totalCount": "x"}}},
    {"documents": [{"id": 5}], "continuation": {}},
    {"groups": [{"group": {}}]},
    {"clusters": [{"name": "c", "types": 5}]},
    {"clusters": [{"name": "c", "types": ["notes"]}], "types": []},
    {"line": "x", "status": {}},
    {"status": 200, "line": 10**9},
]


def run(steps: Any, lie: Any, status: int = 200) -> Any:
    """Perform steps; each request has the same answer."""
    value: Any = None
    for _ in range(20):
        try:
            effect = steps.send(value)
        except StopIteration as end:
            return end.value
        reply = Reply(status, {}, json.dumps(lie).encode())
        value = [reply] if isinstance(effect, Calls) else reply
    return "it asks again"


@pytest.fixture
def core() -> Core:
    core = Core(options("notes", None, None, "me", None))
    core._schema = with_fields(CollectionSchema("notes"), Fields(), None)
    core._is_read = True
    return core


@pytest.mark.parametrize("lie", LIES)
def test_answers_of_another_form_are_errors_of_the_server(core: Core, lie: Any) -> None:
    for steps in (
        core.get(["a"], False),
        core.page(None, None, 10, False),
        core.count(None, 1),
        core.groups(),
        core.search(Search(limit=1)),
        core.search(Search(yql="select")),
        core.delete(["a"], None),
        core.clear(),
        Core(core.options).schema(),
    ):
        with contextlib.suppress(CrabroError):
            run(steps, lie)


def test_names_the_form_that_it_does_not_know(core: Core) -> None:
    with pytest.raises(ServerError, match="unknown form: KeyError 'root'"):
        run(core.count(None, 1), {})
    steps = core.count(None, 1)
    steps.send(None)
    with pytest.raises(ServerError, match="not JSON"):
        steps.send(Reply(200, {}, b"<html>"))


def test_a_schema_of_the_package_cannot_name_other_fields() -> None:
    stored = written({"notes": {"fields": [{"path": ["a"], "name": "x } field y", "kind": "text"}]}})
    steps = Core(options("notes", None, None, "me", None)).schema()
    call = steps.send(None)
    assert isinstance(call, Call)
    assert call.path == f"{APPLICATION}/content/crabro/collections.json"
    steps.send(Reply(200, {}, stored))
    with pytest.raises(CrabroError, match="damaged"):
        steps.send(Reply(200, {}, b'{"clusters": [{"name": "c", "types": ["notes"]}], "types": []}'))
