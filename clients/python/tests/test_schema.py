from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import pytest

from crabro import SchemaError
from crabro._fields import Field, Fields
from crabro._model import find
from crabro._schema import (
    CollectionSchema,
    Embedding,
    check_name,
    cluster_of,
    of_metadata,
    parsed,
    services,
    types_of,
    with_component,
    with_fields,
    with_type,
    without_type,
    written,
    zipped,
)

SCHEMA = with_fields(
    CollectionSchema("notes"),
    Fields([Field(("title",), "title", "text"), Field(("a", "b"), "a_b", "int"), Field(("v",), "v", "vector", 3)]),
    Embedding("server", "embedding", ("title",), 4, "notes_model"),
)


def test_says_what_the_numbers_of_times_count() -> None:
    fields = Fields([Field(("d",), "d", "date"), Field(("t",), "t", "datetime[]"), Field(("u",), "u", "datetime_us")])
    text = with_fields(CollectionSchema("notes"), fields, None).text()

    assert [line.strip() for line in text.splitlines() if "kind:" in line] == [
        "kind: date",
        "kind: time",
        "kind: time-us",
    ]


def test_reads_the_schema_that_it_has_written() -> None:
    stored = parsed(written({"notes": SCHEMA.metadata()}))

    assert of_metadata("notes", stored["notes"], "documents") == SCHEMA


@pytest.mark.parametrize("content", [b"[]", b"{", b'{"version": 1}', b'{"version": 2, "collections": {}}'])
def test_rejects_a_damaged_list_of_collections(content: bytes) -> None:
    with pytest.raises(SchemaError, match=r"crabro/collections\.json"):
        parsed(content)


@pytest.mark.parametrize(
    "stored",
    [{}, {"fields": [{"path": [], "name": "x"}]}, {"fields": [{"path": ["x"], "name": "x", "kind": "evil"}]}],
)
def test_rejects_a_damaged_collection(stored: dict[str, object]) -> None:
    with pytest.raises(SchemaError, match="damaged"):
        of_metadata("notes", stored, "documents")


def test_never_writes_keys_of_documents_as_statements() -> None:
    evil = 'x" }\n  field y type string {} #'
    field = Field((evil,), Fields().free_name((evil,)), "text")
    text = with_fields(CollectionSchema("notes"), Fields([field]), None).text()

    assert "    # x? ? field y type string ?? ?\n" in text
    assert text.count("field ") == 2
    assert "field x_field_y_type_string type string" in text


@pytest.mark.parametrize("name", ["", "1a", "a b", "a-b", "größe", "a" * 101, "a\n"])
def test_rejects_names_of_collections(name: str) -> None:
    with pytest.raises(SchemaError, match="no name of a collection"):
        check_name(name)


def test_adds_and_removes_types() -> None:
    text = with_type(services(["notes"]), "mails")

    assert types_of(text) == ["mails", "notes"]
    assert with_type(text, "mails") == text
    assert cluster_of(text, "mails") == "documents"
    assert types_of(without_type(text, "notes")) == ["mails"]


def test_adds_an_embedder_once() -> None:
    text = with_component(services(["notes"]), "notes_model", {"normalize": ">true</normalize>"})

    assert '<component id="notes_model" type="hugging-face-embedder"><normalize>true</normalize></component>' in text
    assert with_component(text, "notes_model", {}) == text


def test_leaves_services_alone_that_it_does_not_understand() -> None:
    two = services(["a"]).replace("</services>", "<content id='b'><documents></documents></content></services>")

    with pytest.raises(SchemaError, match="not exactly one </documents>"):
        with_type(two, "b")
    with pytest.raises(SchemaError, match="document type declaration"):
        types_of("<!DOCTYPE x [<!ENTITY a 'b'>]><services/>")


def test_packs_files() -> None:
    with zipfile.ZipFile(io.BytesIO(zipped({"a/b": b"c"}))) as archive:
        assert archive.read("a/b") == b"c"


def message(*members: tuple[int, bytes]) -> bytes:
    return b"".join(_varint(number << 3 | 2) + _varint(len(value)) + value for number, value in members)


def _varint(value: int) -> bytes:
    parts = bytearray()
    while value >= 0x80:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)


def value_info(name: str, *dimensions: int) -> bytes:
    dims = message(*((1, b"\x08" + _varint(each) if each else message((2, b"free"))) for each in dimensions))
    return message((1, name.encode()), (2, message((1, message((2, dims))))))


def model(directory: Path, *inputs: str, output: bytes = value_info("last_hidden_state", 0, 0, 12)) -> Path:
    graph = message(*((11, value_info(name, 0, 0)) for name in inputs), (12, output))
    (directory / "model.onnx").write_bytes(b"\x08\x08" + message((2, b"test"), (7, graph)))
    (directory / "tokenizer.json").write_text("{}")
    return directory


def test_reads_the_signature_of_a_model(tmp_path: Path) -> None:
    found = find(model(tmp_path, "input_ids", "attention_mask"), None)

    assert (found.size, found.output, found.has_token_types) == (12, "last_hidden_state", False)


def test_reads_the_size_of_config_json(tmp_path: Path) -> None:
    model(tmp_path, "input_ids", output=value_info("out", 0, 0))
    with pytest.raises(SchemaError, match="how many numbers"):
        find(tmp_path, None)

    (tmp_path / "config.json").write_text('{"hidden_size": 7}')

    assert find(tmp_path, None).size == 7
    assert find(tmp_path, 9).size == 9


def test_rejects_directories_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="there is no directory"):
        find(tmp_path / "none", None)
    with pytest.raises(SchemaError, match=r"expected one \*\.onnx but found none"):
        find(tmp_path, None)
    model(tmp_path, "pixels")
    with pytest.raises(SchemaError, match="needs input_ids"):
        find(tmp_path, None)


@pytest.mark.parametrize(
    "content",
    [
        b"\x00",
        b"not a model",
        b"\xff" * 100,
        b"\x3a\xff\xff\xff\xff\x7f",
        b"\x3a" + struct.pack("B", 200),
        message((7, message((12, b"\x12\xff")))),
        message((7, message((12, message((2, b"\x0a\x7f")))))),
    ],
)
def test_rejects_models_that_lie_about_their_lengths(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "model.onnx").write_bytes(content)
    (tmp_path / "tokenizer.json").write_text("{}")

    with pytest.raises(SchemaError):
        find(tmp_path, None)
