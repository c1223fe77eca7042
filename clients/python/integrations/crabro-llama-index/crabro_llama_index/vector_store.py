"""A vector store of LlamaIndex."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from typing import Any

from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import BaseNode, MetadataMode
from llama_index.core.vector_stores.types import (
    BasePydanticVectorStore,
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
    VectorStoreQueryResult,
)
from llama_index.core.vector_stores.utils import metadata_dict_to_node, node_to_metadata_dict

import crabro
from crabro.records import AllOf, AnyOf, Compare, Condition, Not, Operator, Own, Record, Records, Tagged

#: The deepest nesting of filters.
DEPTH_MAX = 12

_OPERATORS: dict[FilterOperator, Operator] = {
    FilterOperator.EQ: "==", FilterOperator.NE: "!=", FilterOperator.GT: ">", FilterOperator.GTE: ">=",
    FilterOperator.LT: "<", FilterOperator.LTE: "<=", FilterOperator.IN: "in", FilterOperator.NIN: "not in",
    FilterOperator.CONTAINS: "contains", FilterOperator.TEXT_MATCH: "contains",
    FilterOperator.TEXT_MATCH_INSENSITIVE: "icontains", FilterOperator.IS_EMPTY: "empty",
}  # fmt: skip
_VECTOR = (VectorStoreQueryMode.DEFAULT, VectorStoreQueryMode.MMR)
_WORDS = (VectorStoreQueryMode.TEXT_SEARCH, VectorStoreQueryMode.SPARSE)
_BOTH = (VectorStoreQueryMode.HYBRID, VectorStoreQueryMode.SEMANTIC_HYBRID)


class CrabroVectorStore(BasePydanticVectorStore):
    """Keeps nodes in a collection of Crabro, with their texts.

    :param database: from ``crabro.open`` or ``crabro.connect``
    :param collection: the name of the collection, which belongs to stores alone
    :param group: the part of the collection, such as a user
    :param filter_keys: the keys of metadata that filters can name; by default all
    """

    stores_text: bool = True
    is_embedding_query: bool = True
    collection: str = "llama_index"
    group: str = "me"
    filter_keys: list[str] | None = None

    _database: crabro.Database = PrivateAttr()
    _records: Records = PrivateAttr()

    def __init__(
        self,
        database: crabro.Database,
        *,
        collection: str = "llama_index",
        group: str = "me",
        filter_keys: Iterable[str] | None = None,
    ) -> None:
        keys = list(filter_keys) if filter_keys is not None else None
        own: dict[str, Any] = {"collection": collection, "group": group, "filter_keys": keys}
        super().__init__(stores_text=True, **own)
        self._database = database
        self._records = Records(database.collection(collection, group=group), keys)

    @classmethod
    def class_name(cls) -> str:
        """Return the name of the class."""
        return "CrabroVectorStore"

    @property
    def client(self) -> crabro.Database:
        """The database."""
        return self._database

    # Writes

    def add(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[str]:
        """Store nodes, and return their ids. A node replaces that with the same id."""
        return self._records.put([_record(each) for each in nodes])

    async def async_add(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[str]:
        """Store nodes, and return their ids."""
        return await asyncio.to_thread(self.add, nodes)

    def delete(self, ref_doc_id: str, **delete_kwargs: Any) -> None:
        """Remove the nodes of a document."""
        self._records.delete_where(Tagged([ref_doc_id]))

    async def adelete(self, ref_doc_id: str, **delete_kwargs: Any) -> None:
        """Remove the nodes of a document."""
        await asyncio.to_thread(self.delete, ref_doc_id)

    def delete_nodes(
        self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None, **delete_kwargs: Any
    ) -> None:
        """Remove nodes by their ids, by filters, or by both.

        :raises ValueError: without ids and filters; ``clear`` removes all
        """
        wanted = _condition(node_ids, None, filters)
        if wanted is None:
            raise ValueError("delete_nodes needs node_ids or filters; clear() removes all nodes")
        if node_ids is not None and (filters is None or not filters.filters):
            self._records.delete(node_ids)
        else:
            self._records.delete_where(wanted)

    async def adelete_nodes(
        self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None, **delete_kwargs: Any
    ) -> None:
        """Remove nodes by their ids, by filters, or by both."""
        await asyncio.to_thread(self.delete_nodes, node_ids, filters)

    def clear(self) -> None:
        """Remove all nodes of the group."""
        self._records.clear()

    async def aclear(self) -> None:
        """Remove all nodes of the group."""
        await asyncio.to_thread(self.clear)

    # Reads

    def get_nodes(self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None) -> list[BaseNode]:
        """Return the nodes with these ids that exist, in their order; those that meet filters; or all nodes."""
        if node_ids is not None and (filters is None or not filters.filters):
            found = self._records.get(node_ids, vectors=True)
        else:
            found = list(self._records.scan(_condition(node_ids, None, filters), vectors=True))
        return [_node(each) for each in found]

    async def aget_nodes(
        self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None
    ) -> list[BaseNode]:
        """Return the nodes with these ids that exist, in their order; those that meet filters; or all nodes."""
        return await asyncio.to_thread(self.get_nodes, node_ids, filters)

    def query(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        """Return the best nodes with their scores: by the vector, by the words, or by both.

        ``alpha`` of hybrid queries can be 0 (words), 1 (vectors), or 0.5 or None (both, by the sum of the reciprocal
        ranks). For MMR, ``mmr_threshold`` is 1 for the nearest nodes and 0 for the most different ones.

        :raises ValueError: if the query has another mode, or lacks its vector or its words
        """
        by, limit = _way(query)
        if by != "words" and query.query_embedding is None:
            raise ValueError(f"a query of mode {query.mode.value!r} needs query_embedding")
        if by != "vector" and query.query_str is None:
            raise ValueError(f"a query of mode {query.mode.value!r} needs query_str")
        is_mmr = query.mode == VectorStoreQueryMode.MMR
        diversity = None
        if is_mmr:
            threshold = query.mmr_threshold
            threshold = kwargs.get("mmr_threshold") if threshold is None else threshold
            diversity = 0.5 if threshold is None else 1 - threshold
        found = self._records.search(
            query.query_str if by != "vector" else None,
            vector=query.query_embedding,
            by=by,
            # The retriever of an index over a store that has the texts names no nodes: an empty list is no condition.
            condition=_condition(query.node_ids or None, query.doc_ids or None, query.filters),
            limit=limit,
            diversity=diversity,
        )
        nodes = [_node(each) for each in found]
        return VectorStoreQueryResult(
            nodes=nodes, similarities=[each.score or 0.0 for each in found], ids=[each.id for each in found]
        )

    async def aquery(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        """Return the best nodes with their scores."""
        return await asyncio.to_thread(lambda: self.query(query, **kwargs))


def _way(query: VectorStoreQuery) -> tuple[Any, int]:
    """Return how a query searches, and the number of nodes."""
    if query.mode in _VECTOR:
        return "vector", query.similarity_top_k
    if query.mode in _WORDS:
        return "words", query.sparse_top_k if query.sparse_top_k is not None else query.similarity_top_k
    if query.mode in _BOTH:
        if query.alpha not in (None, 0, 0.5, 1):
            raise ValueError(f"alpha is 0, 0.5 or 1, and not {query.alpha}: ranks are fused without weights")
        by = "words" if query.alpha == 0 else "vector" if query.alpha == 1 else "both"
        return by, query.hybrid_top_k if query.hybrid_top_k is not None else query.similarity_top_k
    raise ValueError(f"a query of mode {query.mode.value!r} is not possible")


# Filters


def _condition(
    node_ids: Sequence[str] | None, doc_ids: Sequence[str] | None, filters: MetadataFilters | None
) -> Condition | None:
    parts: list[Condition] = []
    if node_ids is not None:
        parts.append(Own("id", "in", list(node_ids)))
    if doc_ids is not None:
        parts.append(Tagged(list(doc_ids)))
    if filters is not None and filters.filters:
        parts.append(_filters(filters, 0))
    return AllOf(parts) if parts else None


def _filters(filters: MetadataFilters, depth: int) -> Condition:
    if depth > DEPTH_MAX:
        raise ValueError(f"filters are nested more than {DEPTH_MAX} levels deep")
    parts = [
        _filters(each, depth + 1) if isinstance(each, MetadataFilters) else _filter(each) for each in filters.filters
    ]
    if filters.condition == FilterCondition.OR:
        return AnyOf(parts)
    if filters.condition == FilterCondition.NOT:
        # None of the filters holds.
        return Not(AnyOf(parts))
    return AllOf(parts)


def _filter(given: MetadataFilter) -> Condition:
    operator, value = given.operator, given.value
    if operator in (FilterOperator.ANY, FilterOperator.ALL):
        if not isinstance(value, list):
            raise ValueError(f"the operator {operator.value!r} has a list of values")
        parts: list[Condition] = [Compare(given.key, "contains", each) for each in value]
        return AnyOf(parts) if operator == FilterOperator.ANY else AllOf([Compare(given.key, "exists", True), *parts])
    if operator in (FilterOperator.TEXT_MATCH, FilterOperator.TEXT_MATCH_INSENSITIVE) and not isinstance(value, str):
        raise ValueError(f"the operator {operator.value!r} has a text")
    return Compare(given.key, _OPERATORS[operator], value)


# Nodes


def _record(node: BaseNode) -> Record:
    stored = node_to_metadata_dict(node, remove_text=True)
    content = json.loads(stored["_node_content"])
    # The record has the metadata; what cannot be JSON there is a text here.
    content.pop("metadata", None)
    return Record(
        node.node_id,
        node.get_content(metadata_mode=MetadataMode.NONE),
        node.model_dump(mode="json").get("metadata", {}),
        node.embedding,
        {"node": content, "type": stored["_node_type"]},
        [node.ref_doc_id] if node.ref_doc_id is not None else [],
    )


def _node(record: Record) -> BaseNode:
    content = {**record.extra["node"], "metadata": dict(record.metadata)}
    stored = {"_node_content": json.dumps(content), "_node_type": record.extra["type"]}
    node = metadata_dict_to_node(stored, text=record.text or "")
    node.embedding = list(record.vector) if record.vector is not None else None
    return node
