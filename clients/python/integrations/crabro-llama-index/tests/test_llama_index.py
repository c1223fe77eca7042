"""The contract of LlamaIndex, compared with its stores in memory. LlamaIndex has no suite for conformance."""

from __future__ import annotations

import random
from typing import Any

import pytest
from llama_index.core import Document, MockEmbedding, StorageContext, VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.llms import ChatMessage, ImageBlock, MessageRole, TextBlock
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.schema import (
    BaseNode,
    ImageNode,
    IndexNode,
    MetadataMode,
    NodeRelationship,
    RelatedNodeInfo,
    TextNode,
)
from llama_index.core.storage.chat_store import SimpleChatStore
from llama_index.core.vector_stores import SimpleVectorStore
from llama_index.core.vector_stores.types import (
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
)
from llama_index.core.vector_stores.utils import build_metadata_filter_fn

import crabro
from crabro_llama_index import CrabroChatStore, CrabroVectorStore


class Letters(BaseEmbedding):
    """Counts letters."""

    def _get_text_embedding(self, text: str) -> list[float]:
        return [1.0 + text.lower().count(chr(ord("a") + i)) for i in range(26)]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


@pytest.fixture
def store(db: crabro.Database, group: str) -> CrabroVectorStore:
    return CrabroVectorStore(db, collection="llama", group=group)


def node(key: str, text: str, vector: list[float], document: str | None = None, **metadata: Any) -> TextNode:
    found = TextNode(id_=key, text=text, embedding=vector, metadata=metadata)
    if document is not None:
        found.relationships[NodeRelationship.SOURCE] = RelatedNodeInfo(node_id=document)
    return found


NODES = [
    node("a", "a boat along the coast", [1.0, 0.0, 0.0], "trips", page=1, tags=["sea", "boat"], author="Ann"),
    node("b", "a car on the coast road", [0.9, 0.1, 0.0], "trips", page=2.5, tags=["sea", "road"], author="Bob"),
    node("c", "green tea", [0.0, 1.0, 0.0], "drinks", page=3, author="ann", tags=[], empty=""),
    node("d", "nothing", [0.0, 0.0, 1.0]),
]


def only(key: str, operator: FilterOperator, value: Any) -> MetadataFilters:
    return MetadataFilters(filters=[MetadataFilter(key=key, operator=operator, value=value)])


def ids(nodes: Any) -> list[str]:
    return [each.node_id for each in nodes]


# Nodes


def test_nodes_come_back_as_they_were(store: CrabroVectorStore) -> None:
    nodes: list[BaseNode] = [
        *NODES,
        TextNode(
            id_="e", text="with all", embedding=[0.5, 0.5, 0.0], metadata={"deep": {"x": [1, None]}, "none": None},
            excluded_embed_metadata_keys=["none"], excluded_llm_metadata_keys=["deep"], start_char_idx=3,
            end_char_idx=9, text_template="{content}", metadata_separator="|",
            relationships={
                NodeRelationship.SOURCE: RelatedNodeInfo(node_id="s", metadata={"m": 1}),
                NodeRelationship.NEXT: RelatedNodeInfo(node_id="n"),
                NodeRelationship.CHILD: [RelatedNodeInfo(node_id="x"), RelatedNodeInfo(node_id="y")],
            },
        ),
        IndexNode(id_="i", text="an index", index_id="other", embedding=[0.0, 0.25, 1.0]),
        ImageNode(id_="p", text="a picture", image="aGVsbG8=", embedding=[1.0, 1.0, 0.0]),
        TextNode(id_="ü/1", text="", embedding=[0.0, 0.0, 0.5]),
    ]  # fmt: skip
    assert store.add(nodes) == ids(nodes)

    found = store.get_nodes(ids(nodes))

    assert ids(found) == ids(nodes)
    for received, expected in zip(found, nodes, strict=True):
        assert type(received) is type(expected)
        found_values, wanted_values = received.to_dict(), expected.to_dict()
        assert found_values.pop("embedding") == pytest.approx(wanted_values.pop("embedding"))
        assert found_values == wanted_values
    assert sorted(ids(store.get_nodes())) == sorted(ids(nodes))
    assert store.get_nodes(["a", "unknown"])[0].get_content() == "a boat along the coast"


def test_a_node_replaces_that_with_its_id(store: CrabroVectorStore) -> None:
    store.add(NODES)
    store.add([node("a", "new", [0.0, 1.0, 0.0])])
    assert store.get_nodes(["a"])[0].get_content() == "new"
    assert len(store.get_nodes()) == 4


# Filters

FILTERS: list[tuple[str, FilterOperator, Any]] = [
    ("page", FilterOperator.EQ, 1), ("page", FilterOperator.EQ, 1.0), ("page", FilterOperator.NE, 1),
    ("page", FilterOperator.GT, 1), ("page", FilterOperator.GTE, 2.5), ("page", FilterOperator.LT, 3),
    ("page", FilterOperator.LTE, 2.5), ("page", FilterOperator.IN, [1, 3]), ("page", FilterOperator.NIN, [1, 3]),
    ("author", FilterOperator.EQ, "Ann"), ("author", FilterOperator.NE, "Ann"), ("author", FilterOperator.GT, "B"),
    ("author", FilterOperator.IN, ["Ann", "x"]), ("author", FilterOperator.TEXT_MATCH, "nn"),
    ("author", FilterOperator.TEXT_MATCH, "An"), ("author", FilterOperator.TEXT_MATCH_INSENSITIVE, "AN"),
    ("author", FilterOperator.CONTAINS, "o"), ("tags", FilterOperator.CONTAINS, "sea"),
    ("tags", FilterOperator.ANY, ["boat", "road"]), ("tags", FilterOperator.ALL, ["sea", "road"]),
    ("tags", FilterOperator.ALL, []), ("tags", FilterOperator.ANY, []),
    ("tags", FilterOperator.IS_EMPTY, None), ("empty", FilterOperator.IS_EMPTY, None),
    ("unknown", FilterOperator.EQ, 1), ("unknown", FilterOperator.NE, 1), ("unknown", FilterOperator.IS_EMPTY, None),
]  # fmt: skip


def expected_ids(filters: MetadataFilters) -> list[str]:
    """Return what LlamaIndex's own function for filters finds."""
    by_id = {each.node_id: each.metadata for each in NODES}
    holds = build_metadata_filter_fn(lambda key: by_id[key], filters)
    return [key for key in by_id if holds(key)]


@pytest.mark.parametrize(("key", "operator", "value"), FILTERS)
def test_every_operator_does_what_that_of_llama_index_does(
    store: CrabroVectorStore, key: str, operator: FilterOperator, value: Any
) -> None:
    store.add(NODES)
    filters = only(key, operator, value)

    assert sorted(ids(store.get_nodes(filters=filters))) == expected_ids(filters)
    query = VectorStoreQuery(query_embedding=[1.0, 1.0, 1.0], similarity_top_k=10, filters=filters)
    assert sorted(store.query(query).ids or []) == expected_ids(filters)


def test_all_operators_are_tested() -> None:
    assert {operator for _, operator, _ in FILTERS} == set(FilterOperator)


@pytest.mark.parametrize("condition", list(FilterCondition))
def test_conditions_combine_filters(store: CrabroVectorStore, condition: FilterCondition) -> None:
    seed = 3
    print("seed", seed)
    source = random.Random(seed)
    store.add(NODES)
    for _ in range(12):
        chosen = source.sample(FILTERS, source.randint(1, 3))
        filters = MetadataFilters(
            filters=[MetadataFilter(key=key, operator=operator, value=value) for key, operator, value in chosen],
            condition=condition,
        )
        assert sorted(ids(store.get_nodes(filters=filters))) == expected_ids(filters), filters


def test_nested_filters(store: CrabroVectorStore) -> None:
    store.add(NODES)
    late = only("page", FilterOperator.GT, 2)
    ann = only("author", FilterOperator.TEXT_MATCH_INSENSITIVE, "ann")
    neither = MetadataFilters(filters=[ann, late], condition=FilterCondition.NOT)
    both = MetadataFilters(filters=[ann, late], condition=FilterCondition.AND)
    either = MetadataFilters(filters=[both, neither], condition=FilterCondition.OR)

    assert ids(store.get_nodes(filters=neither)) == ["d"]
    assert ids(store.get_nodes(filters=both)) == ["c"]
    assert sorted(ids(store.get_nodes(filters=either))) == ["c", "d"]
    assert len(store.get_nodes(filters=MetadataFilters(filters=[]))) == 4


def test_wrong_filters_are_refused(store: CrabroVectorStore) -> None:
    store.add(NODES)
    for operator in (FilterOperator.ANY, FilterOperator.IN):
        with pytest.raises(ValueError, match="list"):
            store.get_nodes(filters=only("page", operator, 1))
    with pytest.raises(ValueError, match="text"):
        store.get_nodes(filters=only("page", FilterOperator.TEXT_MATCH, 1))
    deep = only("page", FilterOperator.EQ, 1)
    for _ in range(100):
        deep = MetadataFilters(filters=[deep], condition=FilterCondition.NOT)
    with pytest.raises(ValueError, match="nested"):
        store.get_nodes(filters=deep)


def test_values_cannot_change_a_filter(store: CrabroVectorStore) -> None:
    store.add(NODES)
    for attack in ('" or true or "', '\\" == "', "x) or (true", ".*"):
        for operator in (FilterOperator.EQ, FilterOperator.TEXT_MATCH, FilterOperator.TEXT_MATCH_INSENSITIVE):
            assert store.get_nodes(filters=only("author", operator, attack)) == []
        assert store.get_nodes(filters=only(attack, FilterOperator.EQ, "Ann")) == []


# Queries


def test_modes(store: CrabroVectorStore) -> None:
    store.add(NODES)

    def found(mode: VectorStoreQueryMode, **more: Any) -> list[str]:
        given: dict[str, Any] = {"query_embedding": [1.0, 0.0, 0.0], "query_str": "coast road", "similarity_top_k": 2}
        return store.query(VectorStoreQuery(mode=mode, **{**given, **more})).ids or []

    assert found(VectorStoreQueryMode.DEFAULT) == ["a", "b"]
    assert found(VectorStoreQueryMode.TEXT_SEARCH) == ["b", "a"]
    assert found(VectorStoreQueryMode.SPARSE, sparse_top_k=1, query_embedding=None) == ["b"]
    assert set(found(VectorStoreQueryMode.HYBRID)) == {"a", "b"}
    assert found(VectorStoreQueryMode.HYBRID, alpha=0.0, hybrid_top_k=1) == ["b"]
    assert found(VectorStoreQueryMode.HYBRID, alpha=1.0, hybrid_top_k=1) == ["a"]
    assert len(found(VectorStoreQueryMode.SEMANTIC_HYBRID, alpha=0.5, hybrid_top_k=4)) == 4
    assert found(VectorStoreQueryMode.MMR, mmr_threshold=0.1) == ["a", "c"]
    assert found(VectorStoreQueryMode.MMR, mmr_threshold=1.0) == ["a", "b"]
    assert found(VectorStoreQueryMode.DEFAULT, node_ids=["c", "d"], similarity_top_k=9) in (["c", "d"], ["d", "c"])
    assert found(VectorStoreQueryMode.DEFAULT, doc_ids=["drinks"]) == ["c"]
    assert found(VectorStoreQueryMode.DEFAULT, similarity_top_k=0) == []
    for wrong in (
        {"mode": VectorStoreQueryMode.SVM},
        {"mode": VectorStoreQueryMode.DEFAULT, "query_embedding": None},
        {"mode": VectorStoreQueryMode.HYBRID, "query_str": None},
        {"mode": VectorStoreQueryMode.HYBRID, "alpha": 0.3},
    ):
        with pytest.raises(ValueError, match=r"mode|alpha"):
            found(**wrong)


def test_similarities_are_those_of_the_store_in_memory(store: CrabroVectorStore) -> None:
    reference = SimpleVectorStore()
    reference.add(NODES)
    store.add(NODES)
    for vector in ([1.0, 0.5, 0.0], [0.2, 0.1, 0.9], [-1.0, 0.3, 0.2]):
        query = VectorStoreQuery(query_embedding=vector, similarity_top_k=4)
        ours, theirs = store.query(query), reference.query(query)
        assert ours.ids == theirs.ids
        assert ours.similarities == pytest.approx(theirs.similarities, abs=1e-6)
        assert ids(ours.nodes) == ours.ids


def test_an_empty_store_finds_nothing(db: crabro.Database) -> None:
    store = CrabroVectorStore(db, collection="llama_empty")
    assert store.query(VectorStoreQuery(query_embedding=[1.0])).ids == []
    assert store.get_nodes() == store.get_nodes(["a"]) == []
    store.delete("x")
    store.delete_nodes(["x"])
    store.clear()


# Removals


def test_removals(store: CrabroVectorStore) -> None:
    def left() -> list[str]:
        return sorted(ids(store.get_nodes()))

    store.add(NODES)
    store.delete("drinks")
    assert left() == ["a", "b", "d"]
    store.delete("unknown")
    store.delete_nodes(["d", "unknown"])
    assert left() == ["a", "b"]
    store.delete_nodes(["a"], only("page", FilterOperator.EQ, 2.5))
    assert left() == ["a", "b"]
    store.delete_nodes(filters=only("page", FilterOperator.EQ, 2.5))
    assert left() == ["a"]
    with pytest.raises(ValueError, match="clear"):
        store.delete_nodes()
    store.clear()
    assert left() == []


async def test_asyncio(store: CrabroVectorStore) -> None:
    assert await store.async_add(NODES) == ids(NODES)
    result = await store.aquery(VectorStoreQuery(query_embedding=[0.0, 1.0, 0.0]))
    assert result.ids == ["c"]
    assert ids(await store.aget_nodes(["b"])) == ["b"]
    await store.adelete("drinks")
    await store.adelete_nodes(["b"])
    assert sorted(ids(await store.aget_nodes())) == ["a", "d"]
    await store.aclear()
    assert await store.aget_nodes() == []


# With the library


def test_an_index_over_the_store(db: crabro.Database) -> None:
    store = CrabroVectorStore(db, collection="llama_letters")
    documents = [
        Document(doc_id=key, text=text, metadata={"kind": kind})
        for key, text, kind in (("boat", "a boat along the coast", "trip"), ("tea", "green tea", "drink"))
    ]
    context = StorageContext.from_defaults(vector_store=store)
    index = VectorStoreIndex.from_documents(
        documents, storage_context=context, embed_model=Letters(), transformations=[]
    )

    trip = MetadataFilters(filters=[MetadataFilter(key="kind", value="trip")])
    found = index.as_retriever(similarity_top_k=1).retrieve("green tea")
    assert found[0].node.get_content(metadata_mode=MetadataMode.NONE) == "green tea"
    assert found[0].score is not None
    assert [each.text for each in index.as_retriever(filters=trip).retrieve("tea")] == ["a boat along the coast"]
    words = index.as_retriever(vector_store_query_mode="text_search", similarity_top_k=5)
    assert [each.node.get_content(metadata_mode=MetadataMode.NONE) for each in words.retrieve("coast")] == [
        "a boat along the coast"
    ]
    again = VectorStoreIndex.from_vector_store(store, embed_model=Letters())
    assert len(again.as_retriever(similarity_top_k=5).retrieve("tea")) == 2


def test_a_pipeline_fills_the_store(store: CrabroVectorStore) -> None:
    pipeline = IngestionPipeline(transformations=[MockEmbedding(embed_dim=3)], vector_store=store)
    pipeline.run(nodes=[TextNode(id_="a", text="one"), TextNode(id_="b", text="two")])
    assert sorted(ids(store.get_nodes())) == ["a", "b"]


def test_the_store_describes_itself_without_its_token(store: CrabroVectorStore, db: crabro.Database) -> None:
    described = store.to_json()
    assert '"class_name": "CrabroVectorStore"' in described
    assert str(db.token) not in described
    assert store.client is db


# Chats


def message(text: str, role: MessageRole = MessageRole.USER) -> ChatMessage:
    return ChatMessage(role=role, content=text, additional_kwargs={"n": 1})


@pytest.fixture
def chats(db: crabro.Database, group: str) -> CrabroChatStore:
    return CrabroChatStore(db, collection=f"chats_{group}")


def test_chats_do_what_those_in_memory_do(chats: CrabroChatStore) -> None:
    reference = SimpleChatStore()
    answers: list[list[Any]] = []
    for store in (chats, reference):
        answers.append(
            [
                store.get_keys(),
                list(store.get_messages("ann")),
                store.add_message("ann", message("hello")),
                store.add_message("ann", message("hi", MessageRole.ASSISTANT)),
                store.add_message("ann", message("first"), idx=0),
                store.set_messages("a:b,%c", [message("x"), message("y"), message("z")]),
                sorted(store.get_keys()),
                list(store.get_messages("ann")),
                store.delete_message("a:b,%c", 1),
                store.delete_message("a:b,%c", 9),
                list(store.get_messages("a:b,%c")),
                store.delete_last_message("ann"),
                list(store.get_messages("ann")),
                store.set_messages("ann", [message("only")]),
                list(store.get_messages("ann")),
                store.delete_messages("ann"),
                store.delete_messages("unknown"),
                store.delete_last_message("unknown"),
                list(store.get_messages("ann")),
                sorted(store.get_keys()),
            ]
        )
    assert answers[0] == answers[1]


def test_messages_with_blocks_come_back(chats: CrabroChatStore) -> None:
    picture = ImageBlock(image=b"aGVsbG8=", image_mimetype="image/png")
    given = ChatMessage(role=MessageRole.USER, blocks=[TextBlock(text="look"), picture])
    chats.set_messages("", [given])
    assert chats.get_messages("") == [given]
    assert chats.get_keys() == [""]


async def test_asynchronous_chats(chats: CrabroChatStore) -> None:
    await chats.aset_messages("k", [message("a")])
    await chats.async_add_message("k", message("b"))
    assert [each.content for each in await chats.aget_messages("k")] == ["a", "b"]
    assert (await chats.adelete_last_message("k") or message("")).content == "b"
    assert await chats.aget_keys() == ["k"]
    assert len(await chats.adelete_messages("k") or []) == 1


def test_memory_over_the_store(chats: CrabroChatStore) -> None:
    memory = ChatMemoryBuffer.from_defaults(
        chat_store=chats, chat_store_key="ann", token_limit=1000, tokenizer_fn=str.split
    )
    memory.put(message("hello"))
    memory.put(message("hi", MessageRole.ASSISTANT))
    assert [each.content for each in memory.get()] == ["hello", "hi"]
    memory.reset()
    assert chats.get_messages("ann") == []
