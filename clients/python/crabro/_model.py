"""Models for the embedder of the server: a directory with an ONNX model and its tokenizer."""

from __future__ import annotations

import json
import mmap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .errors import SchemaError

#: The size of a model and of a tokenizer.
MODEL_BYTES_MAX = 2 * 1024 * 1024 * 1024
TOKENIZER_BYTES_MAX = 128 * 1024 * 1024

_HINT = "the directory has one .onnx file and a tokenizer.json, as exports of sentence-transformers have"


@dataclass(frozen=True)
class ModelFiles:
    """A model in a directory.

    :ivar size: the cells of its vectors
    :ivar output: the name of its output
    :ivar has_token_types: whether it has the input ``token_type_ids``
    """

    model: Path
    tokenizer: Path
    size: int
    output: str
    has_token_types: bool


def find(directory: Path, dimensions: int | None) -> ModelFiles:
    """Return the model of a directory.

    :param dimensions: the cells of its vectors, if the files do not say it
    :raises SchemaError: if there is no model, or more than one
    """
    if not directory.is_dir():
        raise SchemaError(f"there is no directory {str(directory)!r}", place="embed", hint=f"{_HINT}; embed_fields names fields")
    model = _one(directory, "*.onnx", MODEL_BYTES_MAX)
    tokenizer = _one(directory, "*tokenizer.json", TOKENIZER_BYTES_MAX)
    inputs, outputs = _signature(model)
    if "input_ids" not in inputs:
        raise SchemaError(
            f"the model has the inputs {', '.join(inputs) or 'none'}, and needs input_ids", place=str(model)
        )
    output = "last_hidden_state" if "last_hidden_state" in outputs else next(iter(outputs), "")
    size = dimensions or outputs.get(output, 0) or _hidden_size(directory)
    if not 0 < size <= 65_536:
        raise SchemaError(
            "the files do not say how many numbers a vector has",
            place=str(model),
            hint="give it: embed=crabro.Model(directory, dimensions=384)",
        )
    return ModelFiles(model, tokenizer, size, output, "token_type_ids" in inputs)


def _one(directory: Path, pattern: str, largest: int) -> Path:
    found = sorted(directory.glob(pattern)) or sorted(directory.glob(f"onnx/{pattern}"))
    preferred = [path for path in found if path.name in ("model.onnx", "tokenizer.json")]
    if len(found) > 1 and len(preferred) == 1:
        found = preferred
    if len(found) != 1:
        names = ", ".join(path.name for path in found) or "none"
        raise SchemaError(f"expected one {pattern} but found {names}", place=str(directory), hint=_HINT)
    size = found[0].stat().st_size
    if size > largest:
        raise SchemaError(f"the file has {size} bytes, more than {largest}", place=str(found[0]))
    return found[0]


def _hidden_size(directory: Path) -> int:
    config = directory / "config.json"
    if not config.is_file() or config.stat().st_size > 1 << 20:
        return 0
    try:
        size = json.loads(config.read_bytes()).get("hidden_size", 0)
    except (ValueError, AttributeError):
        return 0
    return size if isinstance(size, int) else 0


def _signature(path: Path) -> tuple[list[str], dict[str, int]]:
    """Return the names of the inputs of a model, and its outputs with their last dimension, 0 if it is free."""
    inputs: list[str] = []
    outputs: dict[str, int] = {}
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            whole = memoryview(data)
            try:
                _read_graph(whole, inputs, outputs)
            finally:
                whole.release()
    except (ValueError, IndexError) as e:
        raise SchemaError(f"the file is no ONNX model: {e}", place=str(path)) from e
    return inputs, outputs


def _read_graph(whole: memoryview, inputs: list[str], outputs: dict[str, int]) -> None:
    for number, graph in _members(whole):
        if number != 7 or graph is None:
            continue
        for part, value in _members(graph):
            if part == 11 and value is not None:
                inputs.append(_name(value))
            elif part == 12 and value is not None:
                outputs[_name(value)] = _last_dimension(value)
            if value is not None:
                value.release()
        graph.release()


def _name(info: memoryview) -> str:
    for number, value in _members(info):
        if number == 1 and value is not None:
            return bytes(value[:1000]).decode("utf-8", "replace")
    return ""


def _last_dimension(info: memoryview) -> int:
    """Return ``type.tensor_type.shape.dim[-1].dim_value`` of a ValueInfoProto."""
    level: memoryview | None = info
    for wanted in (2, 1, 2):
        level = next((v for n, v in _members(level) if n == wanted and v is not None), None)
        if level is None:
            return 0
    last = None
    for number, value in _members(level):
        if number == 1 and value is not None:
            last = value
    if last is None:
        return 0
    at = 0
    while at < len(last):
        tag, at = _varint(last, at)
        if tag == 8:
            return _varint(last, at)[0]
        at = _after(last, at, tag & 7)
    return 0


def _members(data: memoryview) -> Iterator[tuple[int, memoryview | None]]:
    """Yield the numbers of the members of a message, with the bytes of those that have a length."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        if tag & 7 == 2:
            length, at = _varint(data, at)
            if length > len(data) - at:
                raise ValueError(f"a part of {length} bytes is longer than its file")
            yield tag >> 3, data[at : at + length]
            at += length
        else:
            at = _after(data, at, tag & 7)
            yield tag >> 3, None


def _after(data: memoryview, at: int, kind: int) -> int:
    if kind == 0:
        return _varint(data, at)[1]
    if kind == 2:
        length, at = _varint(data, at)
        return at + length
    if kind in (1, 5):
        return at + (8 if kind == 1 else 4)
    raise ValueError(f"unknown kind {kind} of a member")


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise ValueError("a number has more than 10 bytes")
