"""The conformance suites of Haystack, and what they leave open."""

from __future__ import annotations

import random
from datetime import datetime
from typing import Any

import pytest
from haystack import Pipeline
from haystack.dataclasses import ByteStream, Document, SparseEmbedding
from haystack.document_stores.errors import DuplicateDocumentError
from haystack.document_stores.types import DuplicatePolicy
from haystack.errors import FilterError
from haystack.testing.document_store import (
    CountDocumentsByFilterTest,
    CountUniqueMetadataByFilterTest,
    DocumentStoreBaseExtendedTests,
    FilterableDocsFixtureMixin,
    GetMetadataFieldMinMaxTest,
    GetMetadataFieldsInfoTest,
    GetMetadataFieldUniqueValuesTest,
)
from haystack.testing.document_store_async import (
    CountDocumentsAsyncTest,
    CountDocumentsByFilterAsyncTest,
    CountUniqueMetadataByFilterAsyncTest,
    DeleteAllAsyncTest,
    DeleteByFilterAsyncTest,
    DeleteDocumentsAsyncTest,
    FilterDocumentsAsyncTest,
    GetMetadataFieldMinMaxAsyncTest,
    GetMetadataFieldsInfoAsyncTest,
    GetMetadataFieldUniqueValuesAsyncTest,
    UpdateByFilterAsyncTest,
    WriteDocumentsAsyncTest,
)
from haystack.utils import Secret
from haystack.utils.filters import document_matches_filter

import crabro
from crabro_haystack import (
    CrabroBM25Retriever,
    CrabroDocumentStore,
    CrabroEmbeddingRetriever,
    CrabroHybridRetriever,
)


def opened(db: crabro.Database, group: str, collection: str = "plain") -> CrabroDocumentStore:
    return CrabroDocumentStore(
        url=db.url,
        config_url=db.config_url,
        token=Secret.from_token(str(db.token)),
        collection=collection,
        group=group,
    )


@pytest.fixture
def store(db: crabro.Database, group: str) -> Any:
    found = opened(db, group)
    yield found
    found.close()


def assert_equal(received: list[Document], expected: list[Document]) -> None:
    """Compare without an order, as the store has none. Vectors have 32 bits for each number."""
    assert sorted(each.id for each in received) == sorted(each.id for each in expected)
    by_id = {each.id: each.to_dict(flatten=False) for each in expected}
    for each in received:
        found, wanted = each.to_dict(flatten=False), by_id[each.id]
        assert found.pop("embedding") == pytest.approx(wanted.pop("embedding"))
        assert found == wanted


class Stored:
    """The store of the suites, and how they compare documents."""

    @pytest.fixture
    def document_store(self, db: crabro.Database, group: str) -> Any:
        # The vectors of the suites have 768 numbers.
        found = opened(db, group, "haystack_suites")
        yield found
        found.close()

    @staticmethod
    def assert_documents_are_equal(received: list[Document], expected: list[Document]) -> None:
        assert_equal(received, expected)


class TestDocumentStore(
    Stored,
    DocumentStoreBaseExtendedTests,
    CountDocumentsByFilterTest,
    CountUniqueMetadataByFilterTest,
    GetMetadataFieldsInfoTest,
    GetMetadataFieldMinMaxTest,
    GetMetadataFieldUniqueValuesTest,
):
    def test_write_documents(self, document_store: Any) -> None:
        """The policy without a name is FAIL."""
        document = Document(content="test doc")
        assert document_store.write_documents([document]) == 1
        with pytest.raises(DuplicateDocumentError):
            document_store.write_documents([document])
        assert_equal(document_store.filter_documents(), [document])


class TestAsyncDocumentStore(
    Stored,
    CountDocumentsAsyncTest,
    CountDocumentsByFilterAsyncTest,
    CountUniqueMetadataByFilterAsyncTest,
    DeleteAllAsyncTest,
    DeleteByFilterAsyncTest,
    DeleteDocumentsAsyncTest,
    FilterDocumentsAsyncTest,
    GetMetadataFieldMinMaxAsyncTest,
    GetMetadataFieldsInfoAsyncTest,
    GetMetadataFieldUniqueValuesAsyncTest,
    UpdateByFilterAsyncTest,
    WriteDocumentsAsyncTest,
    FilterableDocsFixtureMixin,
):
    async def test_write_documents_async(self, document_store: Any) -> None:
        """The policy without a name is FAIL."""
        document = Document(content="test doc")
        assert await document_store.write_documents_async([document]) == 1
        with pytest.raises(DuplicateDocumentError):
            await document_store.write_documents_async([document])
        assert_equal(await document_store.filter_documents_async(), [document])


# Beyond the suites


def test_documents_come_back_as_they_were(store: CrabroDocumentStore) -> None:
    documents = [
        Document(
            content="Text",
            blob=ByteStream(b"\x00\xff", {"a": 1}, "image/png"),
            meta={"deep": {"list": [1, None, {"x": 2.5}]}, "": "empty key", "content": "clash", "ü.b": True},
            sparse_embedding=SparseEmbedding([1, 5], [0.5, 0.25]),
            score=0.5,
        ),
        Document(content="", meta={"none": None}),
        Document(content=None, embedding=[0.5, 0.25, -1.0]),
    ]
    assert store.write_documents(documents) == 3

    assert_equal(store.filter_documents(), documents)
    for field, number in (("blob", 0), ("sparse_embedding", 0), ("score", 0), ("embedding", 2)):
        present = {"field": field, "operator": "!=", "value": None}
        assert_equal(store.filter_documents(present), [documents[number]])
        assert store.count_documents_by_filter({**present, "operator": "=="}) == 2
    assert store.count_documents_by_filter({"field": "content", "operator": "==", "value": "Text"}) == 1
    assert store.count_documents_by_filter({"field": "id", "operator": "in", "value": [documents[2].id]}) == 1


def test_policies_for_duplicates(store: CrabroDocumentStore) -> None:
    a, b, other = Document(id="a", content="1"), Document(id="b", content="2"), Document(id="a", content="3")

    with pytest.raises(DuplicateDocumentError):
        store.write_documents([a, other])
    assert store.count_documents() == 0
    assert store.write_documents([a, other], DuplicatePolicy.SKIP) == 1
    with pytest.raises(DuplicateDocumentError, match="a"):
        store.write_documents([b, other], DuplicatePolicy.FAIL)
    assert_equal(store.filter_documents(), [a])
    assert store.write_documents([b, other], DuplicatePolicy.SKIP) == 1
    assert store.write_documents([other, b], DuplicatePolicy.OVERWRITE) == 2
    assert_equal(store.filter_documents(), [other, b])
    assert store.write_documents([]) == 0


def test_every_filter_does_what_haystack_says(store: CrabroDocumentStore) -> None:
    seed = 11
    print("seed", seed)
    source = random.Random(seed)
    values: list[Any] = [None, 1, 2, -2.5, "a", "b", "", ["a"], ["a", "b"], [], {"x": 1}]
    dates: list[Any] = [None, "2024-05-01", "2024-05-01T10:00:00", "2024-05-01T10:00:00+00:00", "2023-12-31"]
    documents = [
        Document(
            id=str(i),
            content=source.choice(["one", "two"]),
            meta={"v": source.choice(values), "day": source.choice(dates), "n": {"x": source.choice([1, 2, None])}},
        )
        for i in range(50)
    ]
    store.write_documents(documents)

    def made(depth: int) -> dict[str, Any]:
        if depth and source.random() < 0.7:
            parts = [made(depth - 1) for _ in range(source.randint(1, 3))]
            return {"operator": source.choice(["AND", "OR", "NOT"]), "conditions": parts}
        field = source.choice(["meta.v", "meta.day", "meta.n.x", "content", "meta.none", "v"])
        operator = source.choice(["==", "!=", "in", "not in", ">", ">=", "<", "<="])
        if operator in (">", ">=", "<", "<="):
            # Haystack compares values of one type alone.
            field = source.choice(["meta.day", "meta.n.x"])
            value = source.choice(dates[1:]) if field == "meta.day" else source.choice([1, 1.5, None])
            return {"field": field, "operator": operator, "value": value}
        pool = {"meta.day": dates, "meta.n.x": [1, 2, 1.0, None], "content": ["one", "x"]}.get(field, values)
        value = source.choice(pool)
        if operator in ("in", "not in"):
            value = source.sample(pool, min(2, len(pool)))
        return {"field": field, "operator": operator, "value": value}

    for _ in range(60):
        filters = made(2)
        expected = {each.id for each in documents if document_matches_filter(filters, each)}
        assert {each.id for each in store.filter_documents(filters)} == expected, filters


@pytest.mark.parametrize(
    "filters",
    [
        {"field": "meta.a", "operator": "like", "value": 1},
        {"field": "meta.a", "operator": ["=="], "value": 1},
        {"field": 5, "operator": "==", "value": 1},
        {"field": "meta.a", "operator": ">", "value": "text"},
        {"field": "meta.a", "operator": ">", "value": {"a": 1}},
        {"field": "meta.a", "operator": "==", "value": object()},
        {"field": "meta.a", "operator": "==", "value": float("inf")},
        {"field": "embedding", "operator": "==", "value": [1.0]},
        {"field": "blob", "operator": "in", "value": [None]},
        {"operator": "XOR", "conditions": []},
        {"operator": "AND", "conditions": {}},
        {"operator": "AND", "conditions": ["x"]},
    ],
)
def test_wrong_filters_are_refused(store: CrabroDocumentStore, filters: dict[str, Any]) -> None:
    store.write_documents([Document(content="x", meta={"a": 1})])
    with pytest.raises(FilterError):
        store.filter_documents(filters)


def test_deep_filters_are_refused(store: CrabroDocumentStore) -> None:
    filters: dict[str, Any] = {"field": "meta.a", "operator": "==", "value": 1}
    for _ in range(3000):
        filters = {"operator": "NOT", "conditions": [filters]}
    with pytest.raises(FilterError, match="nested"):
        store.count_documents_by_filter(filters)


def test_an_index_can_be_made_again(db: crabro.Database, group: str) -> None:
    name = f"again_{group}"
    store, other = opened(db, group, name), opened(db, "other", name)
    store.write_documents([Document(content="x", meta={"a": 1})])
    other.write_documents([Document(content="y")])

    store.delete_all_documents(recreate_index=True)
    assert other.count_documents() == 1
    other.delete_all_documents(recreate_index=True)
    assert name not in db.collections()
    other.write_documents([Document(content="x", meta={"a": "text"}, embedding=[1.0])])
    assert other.count_documents() == 1
    # A store that was open while another one removed the collection must be opened again.
    store.close()
    assert store.count_documents() == 0
    store.close()
    other.close()


def test_empty_filters_remove_nothing(store: CrabroDocumentStore) -> None:
    with pytest.raises(FilterError, match="delete_all_documents"):
        store.delete_by_filter({})
    with pytest.raises(FilterError, match="delete_all_documents"):
        store.update_by_filter({}, {"a": 1})


def test_values_cannot_change_a_filter(store: CrabroDocumentStore) -> None:
    store.write_documents([Document(content="x", meta={"a": "secret"})])
    for attack in ('" or true or "', '\\" == "', "x) or (true", "secret\x00"):
        assert store.count_documents_by_filter({"field": "meta.a", "operator": "==", "value": attack}) == 0
        assert store.count_documents_by_filter({"field": f"meta.{attack}", "operator": "==", "value": "secret"}) == 0


# Retrievers

DOCUMENTS = [
    Document(id="0", content="a boat along the coast", meta={"page": 1}, embedding=[1.0, 0.0, 0.0]),
    Document(id="1", content="a car on the coast road", meta={"page": 2}, embedding=[0.8, 0.6, 0.0]),
    Document(id="2", content="green tea", meta={"page": 3}, embedding=[0.0, 1.0, 0.0]),
]
PAGE_2: dict[str, Any] = {"field": "meta.page", "operator": ">=", "value": 2}
PAGE_3: dict[str, Any] = {"field": "meta.page", "operator": "==", "value": 3}


def ids(result: dict[str, list[Document]]) -> list[str]:
    return [each.id for each in result["documents"]]


def test_retrievers(store: CrabroDocumentStore) -> None:
    store.write_documents(DOCUMENTS)
    words: Any = CrabroBM25Retriever(store)
    vectors: Any = CrabroEmbeddingRetriever(store, top_k=2, return_embedding=True)
    both: Any = CrabroHybridRetriever(store, filters=PAGE_2, filter_policy="merge")

    assert set(ids(words.run("coast"))) == {"0", "1"}
    assert ids(words.run("coast", filters=PAGE_2)) == ["1"]
    assert words.run("road")["documents"][0].score > 0
    assert ids(vectors.run([1.0, 0.0, 0.0])) == ["0", "1"]
    best = vectors.run([1.0, 0.0, 0.0], top_k=1)["documents"][0]
    assert best.score == pytest.approx(1)
    assert best.embedding == [1.0, 0.0, 0.0]
    assert ids(both.run("coast", [1.0, 0.0, 0.0])) == ["1", "2"]
    assert ids(both.run("coast", [1.0, 0.0, 0.0], filters={**PAGE_3, "field": "meta.pages"})) == []
    assert ids(both.run("tea", [0.0, 1.0, 0.0], top_k=1)) == ["2"]
    near: Any = CrabroEmbeddingRetriever(store, min_score=0.9)
    assert ids(near.run([1.0, 0.0, 0.0])) == ["0"]
    with pytest.raises(ValueError, match="top_k"):
        CrabroBM25Retriever(store, top_k=0)
    with pytest.raises(TypeError):
        CrabroBM25Retriever("store")  # type: ignore[arg-type]
    with pytest.raises(FilterError):
        words.run("coast", filters={"operator": "=="})


async def test_asynchronous_retrievers(store: CrabroDocumentStore) -> None:
    await store.write_documents_async(DOCUMENTS)
    words: Any = CrabroBM25Retriever(store)
    vectors: Any = CrabroEmbeddingRetriever(store)
    both: Any = CrabroHybridRetriever(store, top_k=1)

    assert ids(await words.run_async("tea")) == ["2"]
    assert ids(await vectors.run_async([0.0, 1.0, 0.0], top_k=1)) == ["2"]
    assert ids(await both.run_async("tea", [0.0, 1.0, 0.0])) == ["2"]


def test_a_pipeline_can_be_written_and_read(db: crabro.Database, group: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRABRO_TOKEN", str(db.token))
    store = CrabroDocumentStore(url=db.url, config_url=db.config_url, collection="plain", group=group)
    store.write_documents(DOCUMENTS)
    pipeline = Pipeline()
    pipeline.add_component("words", CrabroBM25Retriever(store, top_k=1, filters=PAGE_2, filter_policy="merge"))

    text = pipeline.dumps()
    again = Pipeline.loads(text, allowed_modules=["crabro_haystack.*"])

    assert str(db.token) not in text
    assert ids(again.run({"words": {"query": "coast"}})["words"]) == ["1"]
    assert again.get_component("words").to_dict() == pipeline.get_component("words").to_dict()  # type: ignore[attr-defined]
    store.close()
    again.get_component("words").document_store.close()  # type: ignore[attr-defined]


def test_a_store_of_a_directory(tmp_path: Any) -> None:
    with pytest.raises(ValueError, match="path or a url"):
        CrabroDocumentStore()
    store = CrabroDocumentStore(str(tmp_path / "x.crabro"))
    assert CrabroDocumentStore.from_dict(store.to_dict()).path == store.path


def test_a_token_of_a_program_is_not_written(store: CrabroDocumentStore) -> None:
    with pytest.raises(ValueError, match="token"):
        store.to_dict()


def test_types_of_values(store: CrabroDocumentStore) -> None:
    at = datetime(2024, 5, 1).isoformat()
    store.write_documents(
        [Document(content=str(i), meta={"a": value, "d": at}) for i, value in enumerate(["x", 1, 2.5, True, None])]
    )
    assert store.get_metadata_fields_info() == {"a": {"type": "boolean"}, "d": {"type": "keyword"}}
    assert store.get_metadata_field_min_max("d") == {"min": at, "max": at}
    assert store.get_metadata_field_min_max("meta.a") == {"min": 1, "max": 2.5}
