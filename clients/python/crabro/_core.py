"""The operations of a collection, as steps that threads or asyncio perform."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from . import _application, _feed, _model, _where
from ._diversity import diverse
from ._fields import Field, Fields, check_kinds, decode, encode, encoded, flat, nested, new_fields, plain
from ._progress import Progress, ProgressBar
from ._schema import (
    FUSED_MIN,
    WORDS,
    CollectionSchema,
    Embedding,
    check_name,
    fused_profile,
    near_profile,
    with_fields,
)
from ._sources import DocumentSource, checked_id, checked_ids, chunks, length, rows
from ._steps import Call, EmbedFunction, Reply, Steps, checked, embedded, exchange, refusal, understood
from ._where import Where
from .errors import FieldError, QueryError, QueryTimeoutError, SchemaError
from .results import Document, Hit, SearchResult

#: The group of documents whose collection names none.
DEFAULT_GROUP = "me"

#: The largest ``limit`` and ``offset`` of a search together.
WINDOW_MAX = 1000

#: The number of nearest documents that are fused with those of words.
NEAR_MIN = 100

#: The number of hits of a request.
HITS_MAX = 400

#: The number of values of a facet.
FACET_MAX = 1000

#: The number of documents of a page of a scan.
PAGE = 500

#: The number of ids that a request reads.
GET_MAX = 500

#: The number of texts that a call of ``embed`` gets.
EMBED_TEXTS = 256

By = Literal["words", "vector", "both"]
Match = Literal["all", "any"]
Part = Literal["year", "month", "week", "day", "hour"]

_PARTS = {"year": "1y", "month": "1mo", "week": "1w", "day": "1d", "hour": "1h"}
_PARAMETER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_OWN_PARAMETERS = frozenset(
    [
        "after",
        "bolding",
        "collapsefield",
        "collapsesize",
        "continue",
        "count",
        "datetime",
        "default-index",
        "default_index",
        "defaultindex",
        "encoding",
        "explainlevel",
        "filter",
        "format",
        "group",
        "groupingsessioncache",
        "hitcountestimate",
        "hits",
        "jsoncallback",
        "lang",
        "language",
        "limit",
        "locale",
        "maxhits",
        "maxoffset",
        "maxqueryitems",
        "metrics",
        "nocache",
        "nostemming",
        "offset",
        "query",
        "queryprofile",
        "rankfeatures",
        "ranking",
        "recall",
        "restrict",
        "search",
        "searchchain",
        "select",
        "sorting",
        "sortspec",
        "sources",
        "start",
        "summary",
        "summaryfields",
        "template",
        "timeout",
        "timezone",
        "timing",
        "trace",
        "tracelevel",
        "type",
        "user",
        "vector",
        "wand",
        "words",
        "yql",
    ]
)


@dataclass(frozen=True)
class Model:
    """A model that the server runs.

    :ivar directory: has an ONNX model and its ``tokenizer.json``
    :ivar dimensions: the numbers of a vector, if the files do not say it
    :ivar normalize: whether vectors get length 1
    :ivar query: a text before each query, such as ``query: ``
    :ivar document: a text before each document
    """

    directory: str | Path
    dimensions: int | None = None
    normalize: bool = True
    query: str = ""
    document: str = ""


@dataclass(frozen=True)
class Options:
    """What the user has said about a collection."""

    name: str
    group: str
    embed: EmbedFunction | Model | None
    embed_fields: tuple[str, ...] | None
    kinds: Mapping[str, str]


def options(
    name: str,
    embed: EmbedFunction | Model | str | Path | None,
    embed_fields: str | Sequence[str] | None,
    group: str,
    fields: Mapping[str, str] | None,
) -> Options:
    check_name(name)
    check_group(group)
    check_kinds(fields or {})
    if isinstance(embed, (str, Path)):
        embed = Model(embed)
    if embed is not None and not isinstance(embed, Model) and not callable(embed):
        raise SchemaError(
            f"embed is a function or a directory, and not {type(embed).__name__}",
            hint="a function gets a list of texts and returns a vector for each",
        )
    if isinstance(embed_fields, str):
        embed_fields = (embed_fields,)
    return Options(name, group, embed, tuple(embed_fields) if embed_fields is not None else None, dict(fields or {}))


def check_group(group: str) -> None:
    if not isinstance(group, str) or not group or ":" in group or "," in group or len(group) > 10_000:
        raise SchemaError(
            f"{group!r} is no name of a group",
            hint="use 1 to 10,000 characters without colons and commas",
        )


class Core:
    """The state of a collection: its options and the schema that was read last."""

    def __init__(self, given: Options) -> None:
        self.options = given
        self._schema: CollectionSchema | None = None
        self._is_read = False

    @property
    def name(self) -> str:
        return self.options.name

    @property
    def group(self) -> str:
        return self.options.group

    def with_kinds(self, kinds: Mapping[str, str]) -> Core:
        """Return the same collection with further kinds of fields."""
        return Core(replace(self.options, kinds={**self.options.kinds, **kinds}))

    # Schema

    def schema(self) -> Steps[CollectionSchema | None]:
        if not self._is_read or self._schema is None:
            self._schema = yield from _application.read_schema(self.name)
            self._is_read = True
        return self._schema

    def forget(self) -> None:
        self._schema, self._is_read = None, False

    def ensure(self, documents: Sequence[Mapping[str, Any]], first: int) -> Steps[CollectionSchema]:
        """Return a schema that has the fields of documents; deploy it where it is new."""
        current = yield from self.schema()
        known = current.fields if current is not None else Fields()
        added = new_fields(documents, known, first, self.options.kinds)
        if current is not None and not added:
            return current
        if current is not None and current.is_foreign:
            raise SchemaError(
                f"the schema of {self.name!r} is that of another program, and has no field {added[0].shown!r}",
                hint="add the field to that schema, or leave it out",
            )
        if current is None and not added:
            raise SchemaError(
                "the first documents have no values, so they have no fields",
                place=f"collection {self.name!r}",
                hint="add a document with a value first",
            )
        embedding, model = None, None
        if current is None:
            embedding, model = yield from self._embedding(documents, known.with_added(added))

        def change(deployed: CollectionSchema | None) -> CollectionSchema:
            if deployed is None:
                return with_fields(CollectionSchema(self.name), Fields(added), embedding)
            missing: list[Field] = []
            for each in added:
                present = deployed.fields.at(each.path)
                if present is None:
                    name = deployed.fields.with_added(missing).free_name(each.path)
                    missing.append(Field(each.path, name, each.kind, each.size))
            return with_fields(deployed, deployed.fields.with_added(missing), deployed.embedding)

        self._schema = yield from _application.deploy(self.name, change, model)
        return self._schema

    def _embedding(
        self, documents: Sequence[Mapping[str, Any]], fields: Fields
    ) -> Steps[tuple[Embedding | None, _application.ModelPart | None]]:
        embed = self.options.embed
        if embed is None:
            return None, None
        texts = [each for each in fields if each.kind == "text"]
        wanted = self.options.embed_fields
        if wanted is not None:
            found = [fields.find(key) for key in wanted]
            for key, each in zip(wanted, found, strict=True):
                if each is None or each.kind != "text":
                    raise SchemaError(
                        f"embed_fields names {key!r}, which is no text of the first documents",
                        hint=f"the texts are {', '.join(text.shown for text in texts) or 'none'}",
                    )
            texts = [each for each in found if each is not None]
        if not texts:
            raise SchemaError("the first documents have no text to embed", place=f"collection {self.name!r}")
        sources = tuple(each.name for each in texts)
        name = fields.free_name(("embedding",))
        if not isinstance(embed, Model):
            text = next(filter(None, (_text(each, sources, fields) for each in documents)), "text")
            vectors = yield from embedded(embed, [text])
            return Embedding("client", name, sources, len(vectors[0])), None
        files = _model.find(Path(embed.directory).expanduser(), embed.dimensions)
        component = f"{self.name}_model"
        return (
            Embedding("server", name, sources, files.size, component),
            _application.ModelPart(
                component,
                {f"models/{component}.onnx": files.model, f"models/{component}.json": files.tokenizer},
                _component(component, files, embed),
            ),
        )

    # Writes

    def add(
        self,
        documents: DocumentSource,
        ids: Sequence[Any] | None,
        progress: Progress,
        is_new: bool,
        first: int = 0,
    ) -> Steps[list[str]]:
        """Write documents, and return their ids."""
        given = checked_ids(ids) if ids is not None else None
        outcome = _feed.Outcome()
        bar = ProgressBar(progress, length(documents))
        written: list[str] = []
        try:
            for chunk in chunks(rows(documents)):
                begin = len(written)
                if given is not None and begin + len(chunk) > len(given):
                    raise FieldError(f"there are {len(given)} ids and more documents")
                named, fields_only = _with_ids(chunk, given[begin:] if given is not None else None, first + begin)
                chunk_ids = [user_id for user_id, _ in named]
                if is_new:
                    _check_distinct(chunk_ids, first + begin)
                schema = yield from self.ensure(fields_only, first + begin)
                operations = []
                values = [encoded(each, first + begin + i, schema.fields) for i, each in enumerate(fields_only)]
                yield from self._embed(fields_only, values, schema)
                for i, (user_id, is_given) in enumerate(named):
                    operations.append(
                        _feed.put(first + begin + i, user_id, self.document_id(user_id), values[i], is_new and is_given)
                    )
                is_repeatable = not (is_new and any(is_given for _, is_given in named))
                yield from _feed.send(operations, outcome, is_repeatable, bar.add)
                written += chunk_ids
            if given is not None and len(written) != len(given):
                raise FieldError(f"there are {len(given)} ids and {len(written)} documents")
        finally:
            bar.close()
        failure = _feed.problem(outcome, is_new)
        if failure is not None:
            raise failure
        return written

    def _embed(
        self, documents: Sequence[Mapping[str, Any]], values: list[dict[str, Any]], schema: CollectionSchema
    ) -> Steps[None]:
        embedding = schema.embedding
        if embedding is None or embedding.by == "server":
            return
        embed = self._function(schema)
        texts = [_text(each, embedding.sources, schema.fields) for each in documents]
        filled = [i for i, text in enumerate(texts) if text]
        for begin in range(0, len(filled), EMBED_TEXTS):
            part = filled[begin : begin + EMBED_TEXTS]
            vectors = yield from embedded(embed, [texts[i] for i in part])
            for i, vector in zip(part, vectors, strict=True):
                _check_size(vector, embedding.size)
                values[i][embedding.name] = vector

    def _function(self, schema: CollectionSchema) -> EmbedFunction:
        embed = self.options.embed
        if embed is None or isinstance(embed, Model):
            raise SchemaError(
                f"the vectors of {self.name!r} are made by a function of Python, which is needed here too",
                hint=f"open it with db.collection({self.name!r}, embed=function), or search with by='words'",
            )
        return embed

    def update(self, ids: Any, documents: DocumentSource) -> Steps[int]:
        """Change the fields that documents name, and return the number of changed documents."""
        if isinstance(ids, (str, int)):
            ids = [ids]
        given = checked_ids(ids)
        changed = list(rows(documents))
        if len(given) != len(changed):
            raise FieldError(f"there are {len(given)} ids and {len(changed)} documents")
        if not changed:
            return 0
        schema = yield from self.ensure(changed, 0)
        sources = schema.embedding.sources if schema.embedding and schema.embedding.by == "client" else ()
        operations = []
        values = []
        for index, document in enumerate(changed):
            assigned: dict[str, Any] = encoded(document, index, schema.fields)
            for key, value in document.items():
                field = schema.fields.find(key)
                if plain(value) is None and field is not None:
                    assigned[field.name] = None
            if sources and not set(sources).isdisjoint(assigned) and not set(sources) <= set(assigned):
                raise FieldError(
                    "the vector is made of several fields, and the change has some of them",
                    place=f"document {index}",
                    hint=f"change all of {', '.join(sources)}, or use upsert() with the whole document",
                )
            values.append(assigned)
        if sources:
            embeddable = [i for i, each in enumerate(values) if set(sources) <= set(each)]
            parts = [values[i] for i in embeddable]
            yield from self._embed([changed[i] for i in embeddable], parts, schema)
        for index, (user_id, assigned) in enumerate(zip(given, values, strict=True)):
            if assigned:
                operations.append(_feed.update(index, user_id, self.document_id(user_id), assigned))
        outcome = _feed.Outcome()
        yield from _feed.send(operations, outcome, True, lambda _: None)
        failure = _feed.problem(outcome, False)
        if failure is not None:
            raise failure
        return outcome.written

    def delete(self, ids: Any, where: Where | None) -> Steps[int]:
        """Remove documents, and return their number."""
        if (ids is None) == (where is None):
            raise QueryError(
                "delete needs ids or a condition, and not both",
                hint="delete(['a', 'b']), delete(where={'price': {'<': 10}}), or clear() for all",
            )
        schema = yield from self.schema()
        if schema is None:
            return 0
        if where is not None:
            if not where:
                raise QueryError("the condition is empty", hint="use clear() to delete all documents")
            return (yield from self._delete_selected(schema, _where.selection(where, self.name, schema.fields)))
        given = checked_ids([ids] if isinstance(ids, (str, int)) else list(ids))
        operations = [_feed.remove(i, each, self.document_id(each)) for i, each in enumerate(given)]
        outcome = _feed.Outcome()
        yield from _feed.send(operations, outcome, True, lambda _: None)
        failure = _feed.problem(outcome, False)
        if failure is not None:
            raise failure
        return outcome.written

    def clear(self) -> Steps[int]:
        """Remove all documents of the group, and return their number."""
        schema = yield from self.schema()
        return 0 if schema is None else (yield from self._delete_selected(schema, "true"))

    def _delete_selected(self, schema: CollectionSchema, condition: str | None, path: str | None = None) -> Steps[int]:
        params = {"cluster": schema.cluster, "selection": condition or "true", "timeChunk": "30s"}
        count = 0
        while True:
            reply = yield from checked(
                Call("DELETE", path if path is not None else self.group_path(), params=params, is_repeatable=False)
            )
            with understood():
                count += int(reply.get("documentCount", 0))
                if "continuation" not in reply:
                    return count
                params["continuation"] = str(reply["continuation"])

    def drop(self) -> Steps[None]:
        """Remove the documents of all groups, and the collection."""
        schema = yield from self.schema()
        if schema is None:
            return
        if schema.is_foreign:
            raise SchemaError(f"{self.name!r} is a type of another program, which this package does not remove")
        path = f"/document/v1/{quote(self.name)}/{quote(self.name)}/docid"
        yield from self._delete_selected(schema, "true", path)
        yield from _application.remove(self.name)
        self.forget()

    # Reads

    def get(self, ids: Sequence[Any], include_vectors: bool) -> Steps[list[Document]]:
        """Return the documents with these ids that exist, in the order of the ids."""
        schema = yield from self.schema()
        if schema is None:
            checked_ids(ids)
            return []
        return (yield from self._get(checked_ids(ids), schema, self._field_set(schema, include_vectors)))

    def exists(self, ids: Sequence[Any]) -> Steps[list[bool]]:
        """Return for each id whether there is a document."""
        given = checked_ids(ids)
        schema = yield from self.schema()
        if schema is None:
            return [False] * len(given)
        found = yield from self._get(given, schema, {"fieldSet": "[id]"})
        present = {each.id for each in found}
        return [each in present for each in given]

    def _get(self, given: Sequence[str], schema: CollectionSchema, params: Mapping[str, str]) -> Steps[list[Document]]:
        documents = []
        for begin in range(0, len(given), GET_MAX):
            part = given[begin : begin + GET_MAX]
            lines = [json.dumps({"get": self.document_id(each)}) for each in part]
            call = Call(
                "POST",
                "/document/v1/",
                params=params,
                body="\n".join(lines).encode(),
                content_type="application/jsonl",
            )
            reply = yield from exchange(call)
            if reply.status != 200:
                raise refusal(reply)
            with understood():
                documents += _gotten(part, reply, schema)
        return documents

    def page(
        self, where: Where | None, continuation: str | None, count: int, include_vectors: bool
    ) -> Steps[tuple[list[Document], str | None]]:
        """Return a page of documents, and the token of the next one."""
        schema = yield from self.schema()
        if schema is None:
            return [], None
        params = {
            "cluster": schema.cluster,
            "wantedDocumentCount": str(count),
            **self._field_set(schema, include_vectors),
        }
        condition = _where.selection(where, self.name, schema.fields)
        if condition is not None:
            params["selection"] = condition
        if continuation is not None:
            params["continuation"] = continuation
        reply = yield from checked(Call("GET", self.group_path(), params=params))
        prefix = self.document_id("")
        with understood():
            documents = [
                _document(each["id"].removeprefix(prefix), each.get("fields", {}), schema)
                for each in reply["documents"]
            ]
            return documents, reply.get("continuation")

    def count(self, where: Where | None, timeout: float) -> Steps[int]:
        schema = yield from self.schema()
        if schema is None:
            return 0
        body = self._scope(schema, where) | {
            "yql": f"select documentid from {self.name} where true limit 0",
            "ranking": "unranked",
            "timeout": f"{timeout}s",
        }
        root = yield from self._query(body)
        with understood():
            if not root["coverage"]["full"]:
                raise QueryTimeoutError(
                    "the time was over before all documents were counted", hint="set a longer timeout"
                )
            return int(root["fields"]["totalCount"])

    def groups(self) -> Steps[dict[str, int]]:
        """Return the number of documents of each group."""
        schema = yield from self.schema()
        if schema is None:
            return {}
        params = {"cluster": schema.cluster, "wantedGroupCount": "10000"}
        counts: dict[str, int] = {}
        while True:
            path = f"/document/v1/{quote(self.name)}/{quote(self.name)}/group"
            reply = yield from checked(Call("GET", path, params=params))
            with understood():
                counts |= {str(each["group"]): int(each["documentCount"]) for each in reply["groups"]}
                if "continuation" not in reply:
                    return counts
                params["continuation"] = str(reply["continuation"])

    # Searches

    def search(self, asked: Search) -> Steps[SearchResult]:
        asked.check()
        if asked.words is not None and not asked.words.strip():
            asked = replace(asked, words=None)
        schema = yield from self.schema()
        if schema is None:
            return SearchResult([], 0, {name: {} for name in asked.facet_names()})
        body = self._scope(schema, asked.where) | {"timeout": f"{asked.timeout}s", "format.tensors": "short-value"}
        if asked.yql is not None:
            return (yield from self._own_yql(asked, schema, body))
        wanted = asked
        if asked.diversity is not None:
            count = asked.candidates if asked.candidates is not None else min(5 * asked.limit, WINDOW_MAX)
            asked = replace(asked, limit=max(count, asked.limit), include_vectors=True)
        words, condition = yield from self._condition(asked, schema, body)
        order = _order(asked.order, schema.fields)
        if order:
            body["ranking.globalPhase.rerankCount"] = 0
        elif body["ranking"].startswith("fused_"):
            body["ranking.globalPhase.rerankCount"] = max(FUSED_MIN, asked.limit + asked.offset)
        fields = [
            each.name
            for each in schema.fields
            if (each.kind != "vector" or asked.include_vectors) and (asked.only is None or each.name in asked.only)
        ]
        if asked.include_vectors and schema.embedding is not None:
            fields.append(schema.embedding.name)
        body["yql"] = f"select {', '.join(['documentid', *fields])} from {self.name} where {condition}{order}"
        hits: list[Hit] = []
        total, is_complete = 0, True
        while True:
            count = min(HITS_MAX, asked.limit - len(hits))
            root = yield from self._query({**body, "hits": count, "offset": asked.offset + len(hits)})
            with understood():
                total = int(root.get("fields", {}).get("totalCount", 0))
                is_complete &= bool(root.get("coverage", {}).get("full", True))
                found = [self._hit(each, schema) for each in root.get("children", [])]
            hits += found
            if len(found) < count or len(hits) >= asked.limit:
                break
        if asked.min_score is not None:
            hits = [each for each in hits if each.score >= asked.min_score]
        if wanted.diversity is not None:
            hits = diverse(hits, wanted.limit, wanted.diversity, body["ranking"].startswith("near_"))
            if not wanted.include_vectors:
                hits = [Hit(each.id, each, each.score) for each in hits]
        facets = {}
        for name, part in asked.facet_parts():
            facets[name] = yield from self._facet(asked, schema, words, name, part)
        return SearchResult(hits, total, facets, is_complete)

    def _condition(
        self, asked: Search, schema: CollectionSchema, body: dict[str, Any]
    ) -> Steps[tuple[str | None, str]]:
        """Return the condition of words, and that of the whole query. Sets parameters and rank profile."""
        by = asked.by
        name = asked.vector_field
        field = schema.fields.get(name).name if name is not None else schema.vector_field()
        if by is None:
            has_vector = field is not None and (asked.vector is not None or schema.embedding is not None)
            if asked.words is None:
                by = "vector" if asked.vector is not None else "words"
            else:
                by = "both" if has_vector else "words"
        words = None
        if asked.words is not None:
            body["words"] = asked.words
            match = asked.match or ("any" if by == "both" else "all")
            grammar = "all" if match == "all" else "any"
            if by != "vector" and (schema.fields.words() or schema.fieldsets):
                index = _default_index(schema)
                # A text of signs alone has no words, and matches nothing.
                notes = f'grammar: "{grammar}", defaultIndex: "{index}", allowEmpty: true'
                if asked.typos:
                    notes += ", typos: true"
                if asked.beginning:
                    notes += ", beginning: true"
                words = f"({{{notes}}}userInput(@words))"
        if by == "words":
            body["ranking"] = WORDS if words and WORDS in schema.profiles else ("default" if words else "unranked")
            return words, words or ("true" if asked.words is None else "false")
        if field is None:
            raise QueryError(
                f"the collection {self.name!r} has no vectors, or several",
                hint="use embed=…, documents with a vector, or vector_field='…'",
            )
        body["input.query(vector)"] = yield from self._query_vector(asked, schema, field)
        window = max(asked.limit + asked.offset, 1)
        if by == "vector" or words is None:
            body["ranking"] = near_profile(field)
            return words, _near(field, window)
        body["ranking"] = fused_profile(field)
        return words, f"({words} or {_near(field, max(window, NEAR_MIN))})"

    def _query_vector(self, asked: Search, schema: CollectionSchema, field: str) -> Steps[Any]:
        if asked.vector is not None:
            vector = [float(cell) for cell in asked.vector]
            _check_size(vector, schema.vector_size(field))
            return vector
        embedding = schema.embedding
        if embedding is None or embedding.name != field or asked.words is None:
            raise QueryError(
                "the search needs a vector",
                hint="give vector=…, or words for a collection with embed=…",
            )
        if embedding.by == "server":
            return f"embed({embedding.component}, @words)"
        vectors = yield from embedded(self._function(schema), [asked.words])
        _check_size(vectors[0], embedding.size)
        return vectors[0]

    def _own_yql(self, asked: Search, schema: CollectionSchema, body: dict[str, Any]) -> Steps[SearchResult]:
        for key, value in (asked.params or {}).items():
            body[key] = value
        if asked.vector is not None:
            body["input.query(vector)"] = [float(cell) for cell in asked.vector]
        if asked.words is not None:
            body["words"] = asked.words
        if asked.profile is not None:
            body["ranking"] = asked.profile
        body |= {"yql": asked.yql, "hits": min(asked.limit, HITS_MAX), "offset": asked.offset}
        body["presentation.documentIds"] = True
        root = yield from self._query(body)
        with understood():
            return self._own_result(root, schema)

    def _own_result(self, root: Mapping[str, Any], schema: CollectionSchema) -> SearchResult:
        children = root.get("children", [])
        hits = [self._hit(each, schema) for each in children if not str(each.get("id", "")).startswith("group:")]
        facets = {}
        for child in children:
            if str(child.get("id", "")).startswith("group:root"):
                for group_list in child.get("children", []):
                    facets[str(group_list.get("label"))] = _counts(group_list, None, 1)
        total = int(root.get("fields", {}).get("totalCount", 0))
        return SearchResult(hits, total, facets, bool(root.get("coverage", {}).get("full", True)))

    def _facet(
        self, asked: Search, schema: CollectionSchema, words: str | None, key: str, part: Part | None
    ) -> Steps[dict[Any, int]]:
        field = schema.fields.get(key)
        if field.kind in ("vector", "json", "bytes"):
            raise QueryError(f"a field of kind {field.kind!r} has no facets", place=key)
        expression = field.name
        if part is not None:
            if field.element not in ("date", "datetime", "datetime_us"):
                raise QueryError(f"{part!r} is a part of dates, and {key!r} has none", place=key)
            seconds = f"{field.name} / 1000000" if field.element == "datetime_us" else field.name
            expression = f'time.bucket({seconds}, "{_PARTS[part]}")'
        # Documents without a value would count as 0.
        present: Where = {key: {"exists": True}}
        where: Where = {"and": [asked.where, present]} if asked.where else present
        body = self._scope(schema, where) | {"timeout": f"{asked.timeout}s", "ranking": "unranked"}
        if words is not None:
            body["words"] = asked.words
        body["yql"] = (
            f"select documentid from {self.name} where {words or 'true'} limit 0"
            f" | all(group({expression}) max({FACET_MAX}) order(-count()) each(output(count())))"
        )
        root = yield from self._query(body)
        with understood():
            for child in root.get("children", []):
                for group_list in child.get("children", []):
                    return _counts(group_list, field, 1_000_000 if field.element == "datetime_us" and part else 1)
        return {}

    def _query(self, body: Mapping[str, Any]) -> Steps[Any]:
        try:
            sent = json.dumps(body, ensure_ascii=False).encode()
        except (UnicodeEncodeError, TypeError, ValueError) as e:
            raise QueryError(f"a value of the query cannot be sent: {e}") from e
        call = Call("POST", "/search/", body=sent, content_type="application/json")
        reply = yield from checked(call)
        with understood():
            root = reply["root"]
            errors = root.get("errors")
            if errors:
                raise QueryError("; ".join(str(each.get("message")) for each in errors))
            return root

    def _scope(self, schema: CollectionSchema, where: Where | None) -> dict[str, Any]:
        condition = _where.selection(where, self.name, schema.fields)
        if condition is None:
            return {"streaming.groupname": self.group}
        return {"streaming.selection": _where.in_group(condition, self.group)}

    def _hit(self, child: Mapping[str, Any], schema: CollectionSchema) -> Hit:
        values = dict(child.get("fields", {}))
        for internal in ("sddocname", "documentid", "matchfeatures", "summaryfeatures"):
            if schema.fields.named(internal) is None:
                values.pop(internal, None)
        user_id = str(child.get("fields", {}).get("documentid", child["id"])).removeprefix(self.document_id(""))
        document = _document(user_id, values, schema)
        return Hit(user_id, dict(document), float(child.get("relevance", 0.0)), document.vector)

    # Names

    def document_id(self, user_id: str) -> str:
        return f"id:{self.name}:{self.name}:g={self.group}:{user_id}"

    def group_path(self) -> str:
        name = quote(self.name)
        return f"/document/v1/{name}/{name}/group/{quote(self.group, safe='')}"

    def _field_set(self, schema: CollectionSchema, include_vectors: bool) -> dict[str, str]:
        names = [each.name for each in schema.fields if each.kind != "vector" or include_vectors]
        embedding = schema.embedding
        if include_vectors and embedding is not None:
            names.append(embedding.name)
        elif not schema.fields.vectors() and (embedding is None or embedding.by == "server"):
            # The vectors of the server are no part of documents.
            return {"fieldSet": "[document]"}
        chosen = f"{self.name}:{','.join(names)}" if names else "[id]"
        return {"fieldSet": chosen, "format.tensors": "short-value"}


@dataclass(frozen=True)
class Search:
    """What a search asks for."""

    words: str | None = None
    where: Where | None = None
    limit: int = 10
    offset: int = 0
    vector: Iterable[float] | None = None
    vector_field: str | None = None
    by: By | None = None
    match: Match | None = None
    order: str | Sequence[str] | None = None
    facets: Sequence[str] | Mapping[str, Part | None] | None = None
    include_vectors: bool = False
    yql: str | None = None
    params: Mapping[str, Any] | None = None
    profile: str | None = None
    timeout: float = 10.0
    min_score: float | None = None
    diversity: float | None = None
    candidates: int | None = None
    typos: bool = True
    beginning: bool = False
    only: Sequence[str] | None = None

    def check(self) -> None:
        self._check_diversity()
        if not isinstance(self.limit, int) or not isinstance(self.offset, int) or self.limit < 0 or self.offset < 0:
            raise QueryError("limit and offset are whole numbers from 0")
        if self.limit + self.offset > WINDOW_MAX:
            raise QueryError(
                f"limit and offset can be {WINDOW_MAX} together",
                hint="use scan(where=…) to read more documents",
            )
        if self.words is not None and not isinstance(self.words, str):
            raise QueryError(f"the words are a text, and not {type(self.words).__name__}")
        if self.by not in (None, "words", "vector", "both"):
            raise QueryError(f"by is 'words', 'vector' or 'both', and not {self.by!r}")
        if self.match not in (None, "all", "any"):
            raise QueryError(f"match is 'all' or 'any', and not {self.match!r}")
        for name in ("typos", "beginning"):
            if not isinstance(getattr(self, name), bool):
                raise QueryError(f"{name} is True or False, and not {getattr(self, name)!r}")
        if not 0 < self.timeout <= 600:
            raise QueryError("timeout is above 0 and at most 600 seconds")
        if isinstance(self.facets, str):
            raise QueryError("facets is a list of fields", hint=f"facets=[{self.facets!r}]")
        for _, part in self.facet_parts():
            if part is not None and part not in _PARTS:
                raise QueryError(f"unknown part {part!r} of dates", hint=f"the parts are {', '.join(_PARTS)}")
        if self.yql is None:
            if self.params or self.profile:
                raise QueryError("params and profile belong to yql=…")
        elif self.order is not None or self.facets or self.by or self.match or self.beginning or not self.typos:
            raise QueryError(
                "order, facets, by, match, typos and beginning cannot be combined with yql, which has forms of its own"
            )
        for name in self.params or {}:
            if not _PARAMETER.fullmatch(name) or name.lower() in _OWN_PARAMETERS:
                raise QueryError(
                    f"{name!r} is no name for a value of YQL",
                    hint="use letters, digits and underscores, and none of the names of query parameters",
                )

    def _check_diversity(self) -> None:
        if self.diversity is None:
            if self.candidates is not None:
                raise QueryError("candidates belongs to diversity=…")
            return
        if not 0 <= self.diversity <= 1:
            raise QueryError("diversity is a number from 0 to 1")
        if self.by == "words" or self.order is not None or self.yql is not None or self.offset:
            raise QueryError("diversity is for searches by vectors, without offset, order and yql")
        if self.candidates is not None and not (
            isinstance(self.candidates, int) and 1 <= self.candidates <= WINDOW_MAX
        ):
            raise QueryError(f"candidates is a whole number from 1 to {WINDOW_MAX}")

    def facet_parts(self) -> list[tuple[str, Part | None]]:
        if self.facets is None:
            return []
        if isinstance(self.facets, Mapping):
            return list(self.facets.items())
        return [(name, None) for name in self.facets]

    def facet_names(self) -> list[str]:
        return [name for name, _ in self.facet_parts()]


def _near(field: str, count: int) -> str:
    return f"({{targetHits: {count}}}nearestNeighbor({field}, vector))"


def _default_index(schema: CollectionSchema) -> str:
    if "default" in schema.fieldsets:
        return "default"
    if schema.fieldsets:
        return sorted(schema.fieldsets)[0]
    return schema.fields.words()[0].name


def _order(order: str | Sequence[str] | None, fields: Fields) -> str:
    if order is None:
        return ""
    keys = []
    for each in [order] if isinstance(order, str) else order:
        field = fields.get(each.lstrip("+-"))
        if field.kind in ("vector", "json", "bytes"):
            raise QueryError(f"a field of kind {field.kind!r} has no order", place=each)
        keys.append(f"{field.name} {'desc' if each.startswith('-') else 'asc'}")
    return " order by " + ", ".join(keys) if keys else ""


def _counts(group_list: Mapping[str, Any], field: Field | None, scale: int) -> dict[Any, int]:
    counts = {}
    for group in group_list.get("children", []):
        value = group.get("value")
        if field is not None:
            value = _facet_value(value, field, scale)
        counts[value] = int(group.get("fields", {}).get("count()", 0))
    return counts


def _facet_value(value: Any, field: Field, scale: int) -> Any:
    kind = field.element
    if kind in ("int", "date", "datetime", "datetime_us"):
        return decode(int(value) * scale, Field(field.path, field.name, kind))
    if kind == "float":
        return float(value)
    if kind == "bool":
        return value in (True, "true", "1", 1)
    return value


def _gotten(ids: Sequence[str], reply: Reply, schema: CollectionSchema) -> list[Document]:
    """Return the documents of an answer with a line for each id."""
    documents = []
    for line in reply.body.splitlines():
        parsed = json.loads(line)
        if "totals" in parsed:
            continue
        if parsed["status"] == 200:
            documents.append(_document(ids[int(parsed["line"]) - 1], parsed.get("fields", {}), schema))
        elif parsed["status"] != 404:
            raise QueryError(str(parsed.get("message")), place=f"id {parsed.get('id')!r}")
    return documents


def _document(user_id: str, values: Mapping[str, Any], schema: CollectionSchema) -> Document:
    vector = None
    fields = dict(values)
    if schema.embedding is not None:
        found = fields.pop(schema.embedding.name, None)
        vector = found["values"] if isinstance(found, Mapping) else found
    document = nested(fields, schema.fields)
    if vector is None and schema.embedding is None:
        vectors = schema.fields.vectors()
        if len(vectors) == 1 and vectors[0].name in fields:
            found = fields[vectors[0].name]
            vector = found["values"] if isinstance(found, Mapping) else found
    return Document(user_id, document, vector)


def _with_ids(
    chunk: Sequence[Mapping[str, Any]], given: Sequence[str] | None, first: int
) -> tuple[list[tuple[str, bool]], list[Mapping[str, Any]]]:
    """Return the id of each document and whether the user chose it, and the documents without ``id``."""
    named: list[tuple[str, bool]] = []
    fields: list[Mapping[str, Any]] = []
    for index, document in enumerate(chunk):
        if given is not None:
            named.append((given[index], True))
        elif plain(document.get("id")) is not None:
            named.append((checked_id(document["id"], first + index), True))
        else:
            named.append((uuid.uuid4().hex, False))
        fields.append({key: value for key, value in document.items() if key != "id"})
    return named, fields


def _check_distinct(ids: Sequence[str], first: int) -> None:
    seen: set[str] = set()
    for index, each in enumerate(ids):
        if each in seen:
            raise FieldError(
                f"the id {each!r} occurs twice", place=f"document {first + index}", hint="use upsert() to keep the last"
            )
        seen.add(each)


def _text(document: Mapping[str, Any], sources: Iterable[str], fields: Fields) -> str:
    """Return the texts of a document that are embedded, as one."""
    texts = {}
    for path, value in flat(document, 0, fields):
        field = fields.at(path)
        if field is not None and isinstance(value, str):
            texts[field.name] = value
    return "\n".join(texts[source] for source in sources if texts.get(source))


def _check_size(vector: Sequence[float], size: int) -> None:
    try:
        encode(vector, Field(("vector",), "vector", "vector", size))
    except FieldError as e:
        raise QueryError(e.message, hint=e.hint) from e


def _component(component: str, files: _model.ModelFiles, model: Model) -> dict[str, str]:
    """Return the elements of an embedder, as the texts after the name of each."""
    parts = {
        "transformer-model": f' path="models/{component}.onnx"/>',
        "tokenizer-model": f' path="models/{component}.json"/>',
        "normalize": f">{'true' if model.normalize else 'false'}</normalize>",
    }
    if files.output != "last_hidden_state":
        parts["transformer-output"] = f">{_escaped(files.output)}</transformer-output>"
    if not files.has_token_types:
        parts["transformer-token-type-ids"] = "></transformer-token-type-ids>"
    if model.query or model.document:
        query, document = _escaped(model.query.strip()), _escaped(model.document.strip())
        parts["prepend"] = f"><query>{query}</query><document>{document}</document></prepend>"
    return parts


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
