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
        raise SchemaError(
            f"there is no directory {str(directory)!r}", place="embed", hint=f"{_HINT}; embed_fields names fields"
        )
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
            for graph in _parts(_Message(data, 0, len(data)), 7):
                inputs += [_name(info) for info in _parts(graph, 11)]
                outputs |= {_name(info): _last_dimension(info) for info in _parts(graph, 12)}
    except (ValueError, IndexError) as e:
        raise SchemaError(f"the file is no ONNX model: {e}", place=str(path)) from e
    return inputs, outputs


@dataclass(frozen=True)
class _Message:
    """A message of protocol buffers: the bytes of a file from ``begin`` to before ``end``."""

    data: mmap.mmap
    begin: int
    end: int


def _name(info: _Message) -> str:
    """Return the name of a ValueInfoProto."""
    for part in _parts(info, 1):
        return part.data[part.begin : min(part.end, part.begin + 1000)].decode("utf-8", "replace")
    return ""


def _last_dimension(info: _Message) -> int:
    """Return ``type.tensor_type.shape.dim[-1].dim_value`` of a ValueInfoProto."""
    for type_ in _parts(info, 2):
        for tensor in _parts(type_, 1):
            for shape in _parts(tensor, 2):
                dimensions = list(_parts(shape, 1))
                return _dimension(dimensions[-1]) if dimensions else 0
    return 0


def _dimension(dimension: _Message) -> int:
    at = dimension.begin
    while at < dimension.end:
        tag, at = _varint(dimension, at)
        if tag == 8:
            return _varint(dimension, at)[0]
        at = _after(dimension, at, tag & 7)
    return 0


def _parts(message: _Message, wanted: int) -> Iterator[_Message]:
    """Yield the members of a message that have a number and a length."""
    at = message.begin
    while at < message.end:
        tag, at = _varint(message, at)
        after = _after(message, at, tag & 7)
        if after > message.end:
            raise ValueError(f"a part at byte {at} is longer than the part around it")
        if tag == wanted << 3 | 2:
            yield _Message(message.data, _varint(message, at)[1], after)
        at = after


def _after(message: _Message, at: int, kind: int) -> int:
    """Return the place after a member whose tag ends at a place."""
    if kind == 0:
        return _varint(message, at)[1]
    if kind == 2:
        length, at = _varint(message, at)
        return at + length
    if kind in (1, 5):
        return at + (8 if kind == 1 else 4)
    raise ValueError(f"unknown kind {kind} of a member at byte {at}")


def _varint(message: _Message, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= message.end:
            raise ValueError(f"a number at byte {at} has no end")
        byte = message.data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise ValueError(f"a number before byte {at} has more than 10 bytes")
