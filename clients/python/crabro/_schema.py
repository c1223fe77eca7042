"""Schemas: what is deployed for a collection, and what is stored about it in the package.

The file ``crabro/collections.json`` of the package has the fields of each collection: the kinds of Python, and the
keys in documents. The schema is generated from it. The checksum of the schema shows whether it was changed by hand.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

from ._fields import KINDS, Field, Fields
from .errors import SchemaError

METADATA = "crabro/collections.json"
SERVICES = "services.xml"
CLUSTER = "documents"
VERSION = 1

#: The rank profile for words.
WORDS = "words"

#: The number of best hits that words and vectors are fused for.
FUSED_MIN = 200

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,99}", re.ASCII)


@dataclass(frozen=True)
class Embedding:
    """How the vectors of a collection are made.

    :ivar by: ``client``: a function of Python; ``server``: a model that the server runs
    :ivar name: the field of the schema that has the vectors
    :ivar sources: the names of the fields whose texts are embedded
    :ivar size: the cells of a vector
    :ivar component: the id of the server's embedder
    """

    by: Literal["client", "server"]
    name: str
    sources: tuple[str, ...]
    size: int
    component: str = ""


@dataclass(frozen=True)
class CollectionSchema:
    """The schema of a collection. Immutable.

    :ivar is_foreign: whether another program wrote the schema, so that this package does not change it
    """

    name: str
    fields: Fields = field(default_factory=Fields)
    embedding: Embedding | None = None
    cluster: str = CLUSTER
    is_foreign: bool = False
    profiles: frozenset[str] = frozenset()
    fieldsets: frozenset[str] = frozenset()

    def vector_field(self) -> str | None:
        """Return the name of the only field that a search by vectors can mean."""
        if self.embedding is not None:
            return self.embedding.name
        vectors = self.fields.vectors()
        return vectors[0].name if len(vectors) == 1 else None

    def vector_size(self, name: str) -> int:
        if self.embedding is not None and self.embedding.name == name:
            return self.embedding.size
        found = self.fields.named(name)
        return found.size if found is not None else 0

    def text(self) -> str:
        """Return the schema in the language of schemas."""
        lines = [
            "# Written by the Python package crabro. It adds fields when documents have new ones.",
            f"schema {self.name} {{",
            f"  document {self.name} {{",
        ]
        for each in self.fields:
            if each.shown != each.name:
                lines.append(f"    # {_comment(each.shown)}")
            lines += _field_lines(each)
        embedding = self.embedding
        if embedding is not None and embedding.by == "client":
            lines += _vector_lines(embedding.name, embedding.size, "")
        lines.append("  }")
        if embedding is not None and embedding.by == "server":
            texts = ' . " " . '.join(f'(input {source} || "")' for source in embedding.sources)
            script = f"{texts} | embed {embedding.component} | "
            lines += _vector_lines(embedding.name, embedding.size, script)
        words = [each.name for each in self.fields.words()]
        if words:
            lines += ["  fieldset default {", f"    fields: {', '.join(words)}", "  }"]
            lines += [f"  rank-profile {WORDS} {{", "    first-phase {"]
            lines += [f"      expression: {_bm25(words)}", "    }", "  }"]
        vectors = [(each.name, each.size) for each in self.fields.vectors()]
        if embedding is not None:
            vectors.append((embedding.name, embedding.size))
        for name, size in vectors:
            lines += _profiles(name, size, words)
        lines.append("}")
        return "\n".join(lines) + "\n"

    def metadata(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "schema": hashlib.sha256(self.text().encode()).hexdigest(),
            "fields": [
                {"path": list(each.path), "name": each.name, "kind": each.kind}
                | ({"size": each.size} if each.size else {})
                for each in self.fields
            ],
        }
        if self.embedding is not None:
            embedding = self.embedding
            found["embedding"] = {
                "by": embedding.by,
                "name": embedding.name,
                "sources": list(embedding.sources),
                "size": embedding.size,
                "component": embedding.component,
            }
        return found


#: What the server calls the kinds whose numbers are times.
_TIMES = {"date": "date", "datetime": "time", "datetime_us": "time-us"}


def near_profile(name: str) -> str:
    return f"near_{name}"


def fused_profile(name: str) -> str:
    return f"fused_{name}"


def _comment(text: str) -> str:
    return re.sub(r"[^\w .()@/-]", "?", re.sub(r"\s+", " ", text))[:100]


def _bm25(words: Sequence[str]) -> str:
    return " + ".join(f"bm25({name})" for name in words)


def _field_lines(each: Field) -> list[str]:
    if each.kind == "vector":
        return _vector_lines(each.name, each.size, "")
    lines = [f"    field {each.name} type {each.schema_type()} {{"]
    if each.kind == "bytes":
        lines.append("      indexing: summary")
    elif each.is_words:
        lines.append("      indexing: summary | index")
    else:
        lines.append("      indexing: summary | attribute")
    if each.element == "keyword":
        lines.append("      match: word")
    if each.element in _TIMES:
        lines.append(f"      kind: {_TIMES[each.element]}")
    return [*lines, "    }"]


def _vector_lines(name: str, size: int, script: str) -> list[str]:
    return [
        f"    field {name} type tensor<float>(x[{size}]) {{",
        f"      indexing: {script}attribute | summary",
        "      attribute { distance-metric: angular }",
        "    }",
    ]


def _profiles(name: str, size: int, words: Sequence[str]) -> list[str]:
    inputs = ["    inputs {", f"      query(vector) tensor<float>(x[{size}])", "    }"]
    lines = [f"  rank-profile {near_profile(name)} {{", *inputs]
    # The score is the cosine of the angle: 1 for equal directions, -1 for opposite ones.
    lines += ["    first-phase {", f"      expression: cos(distance(field, {name}))", "    }", "  }"]
    if words:
        lines += [
            f"  rank-profile {fused_profile(name)} {{",
            *inputs,
            "    function words() {",
            f"      expression: {_bm25(words)}",
            "    }",
            # 0 for documents without a vector, which words can find.
            "    function meaning() {",
            f"      expression: closeness(field, {name})",
            "    }",
            "    first-phase {",
            "      expression: words + meaning",
            "    }",
            "    global-phase {",
            "      expression: reciprocal_rank_fusion(words, meaning)",
            f"      rerank-count: {FUSED_MIN}",
            "    }",
            "    match-features: words meaning",
            "  }",
        ]
    return lines


def check_name(name: str) -> str:
    """Return the name of a collection if it can be one.

    :raises SchemaError: otherwise
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise SchemaError(
            f"{name!r} is no name of a collection",
            hint="use up to 100 letters of ASCII, digits and underscores, and begin with a letter",
        )
    return name


def parsed(metadata: bytes) -> dict[str, Mapping[str, Any]]:
    """Return what is stored about each collection."""
    if not metadata:
        return {}
    try:
        content = json.loads(metadata)
        version = content["version"]
        collections = dict(content["collections"])
    except (ValueError, KeyError, TypeError) as e:
        raise SchemaError(f"the file {METADATA} of the package is damaged: {e}") from e
    if version != VERSION:
        raise SchemaError(
            f"the file {METADATA} of the package has version {version}, and this package reads {VERSION}",
            hint="update the Python package crabro",
        )
    return collections


def written(collections: Mapping[str, Mapping[str, Any]]) -> bytes:
    content = {"version": VERSION, "collections": dict(sorted(collections.items()))}
    return json.dumps(content, ensure_ascii=False, indent=1).encode()


def of_metadata(name: str, stored: Mapping[str, Any], cluster: str) -> CollectionSchema:
    """Return the schema of a collection from what is stored about it."""
    try:
        fields = []
        for each in stored["fields"]:
            if each["kind"] not in KINDS:
                raise ValueError(f"unknown kind {each['kind']!r}")
            if not _NAME.fullmatch(each["name"]):
                raise ValueError(f"{each['name']!r} is no name of a field")
            path = tuple(str(part) for part in each["path"])
            fields.append(Field(path, str(each["name"]), each["kind"], int(each.get("size", 0))))
        given = stored.get("embedding")
        embedding = None
        if given is not None:
            if not all(_NAME.fullmatch(each) for each in (given["name"], *given["sources"])):
                raise ValueError("the embedding names no fields")
            embedding = Embedding(
                "server" if given["by"] == "server" else "client",
                str(given["name"]),
                tuple(str(source) for source in given["sources"]),
                int(given["size"]),
                str(given["component"]),
            )
    except (KeyError, TypeError, ValueError) as e:
        raise SchemaError(f"the file {METADATA} of the package is damaged: {e}", place=f"collection {name!r}") from e
    return replace(_profiled(CollectionSchema(name, Fields(fields), embedding)), cluster=cluster)


def _profiled(schema: CollectionSchema) -> CollectionSchema:
    """Return a schema with the names of the profiles and fieldsets of its text."""
    text = schema.text()
    return replace(
        schema,
        profiles=frozenset(re.findall(r"rank-profile (\w+) ", text)),
        fieldsets=frozenset(re.findall(r"fieldset (\w+) ", text)),
    )


def with_fields(schema: CollectionSchema, fields: Fields, embedding: Embedding | None) -> CollectionSchema:
    return _profiled(replace(schema, fields=fields, embedding=embedding))


def services(types: Sequence[str]) -> str:
    """Return the services of a new application: documents, searches, and read-only tools for language models."""
    documents = "\n".join(f"      {_document(name)}" for name in types)
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<services version="1.0">
  <container id="default" version="1.0">
    <search/>
    <document-api/>
    <handler id="ai.vespa.mcp.McpJdiscHandler" bundle="mcp-server">
      <binding>http://*/mcp</binding>
    </handler>
  </container>
  <content id="{CLUSTER}" version="1.0">
    <min-redundancy>1</min-redundancy>
    <documents>
{documents}
    </documents>
  </content>
</services>
"""


def _document(name: str) -> str:
    return f'<document type={quoteattr(name)} mode="streaming"/>'


def _inserted(text: str, before: str, part: str, what: str) -> str:
    end = text.find(before)
    if end < 0 or text.find(before, end + 1) >= 0:
        raise SchemaError(
            f"services.xml of the deployed application has not exactly one {before}, so {what} cannot be added",
            hint="add it to your package by hand, and deploy that",
        )
    line = text.rfind("\n", 0, end) + 1
    indent = text[line:end] if not text[line:end].strip() else ""
    return (
        text[:line] + f"{indent}  {part}\n" + text[line:] if indent or line == end else text[:end] + part + text[end:]
    )


def with_type(text: str, name: str) -> str:
    """Return services with a document type."""
    if cluster_of(text, name) is not None:
        return text
    return _inserted(text, "</documents>", _document(name), f"the type {name!r}")


def without_type(text: str, name: str) -> str:
    """Return services without a document type."""
    return re.sub(rf"[ \t]*<document\s[^>]*type=[\"']{re.escape(name)}[\"'][^>]*/>[ \t]*\n?", "", text)


def with_component(text: str, component: str, parts: Mapping[str, str]) -> str:
    """Return services with an embedder."""
    if f"id={quoteattr(component)}" in text:
        return text
    inner = "".join(f"<{key}{value}" for key, value in parts.items())
    whole = f'<component id={quoteattr(component)} type="hugging-face-embedder">{inner}</component>'
    return _inserted(text, "</container>", whole, "an embedder")


def cluster_of(text: str, name: str) -> str | None:
    """Return the content cluster that has a document type."""
    for content in _tree(text).iter("content"):
        if any(each.get("type") == name for each in content.iter("document")):
            return content.get("id") or "content"
    return None


def types_of(text: str) -> list[str]:
    """Return the document types of services."""
    return sorted({each.get("type") or "" for each in _tree(text).iter("document")} - {""})


def _tree(text: str) -> ElementTree.Element:
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise SchemaError("services.xml has a document type declaration, which this package does not read")
    try:
        # Without a declaration of types there are no entities to expand.
        return ElementTree.fromstring(text.encode())  # noqa: S314
    except ElementTree.ParseError as e:
        raise SchemaError(f"services.xml cannot be read: {e}") from e


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return an archive of a package."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return content.getvalue()
