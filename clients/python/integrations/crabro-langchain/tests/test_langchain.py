"""The conformance suites of LangChain, and what they leave open."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding, Embeddings
from langchain_core.indexing import InMemoryRecordManager, RecordManager, aindex, index
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import InMemoryVectorStore, VectorStore
from langchain_tests.integration_tests import RetrieversIntegrationTests, VectorStoreIntegrationTests
from langchain_tests.integration_tests.indexer import AsyncDocumentIndexTestSuite, DocumentIndexerTestSuite

import crabro
from crabro_langchain import CrabroDocumentIndex, CrabroRecordManager, CrabroRetriever, CrabroVectorStore

# DocumentIndex is marked as beta by LangChain.
pytestmark = pytest.mark.filterwarnings("ignore:.*beta.*")


class Letters(Embeddings):
    """Counts letters."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[1.0 + text.lower().count(chr(ord("a") + i)) for i in range(26)] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


class AsyncLetters(Letters):
    """Can be used with asyncio alone."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        raise AssertionError("the synchronous method was called")

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        return Letters.embed_documents(self, texts)

    async def aembed_query(self, text: str) -> list[float]:
        return Letters().embed_query(text)


@pytest.fixture
def store(db: crabro.Database, group: str) -> CrabroVectorStore:
    return CrabroVectorStore(db, Letters(), collection="letters", group=group)


class TestVectorStore(VectorStoreIntegrationTests):
    @pytest.fixture
    def vectorstore(self, db: crabro.Database, group: str) -> VectorStore:
        return CrabroVectorStore(db, self.get_embeddings(), collection="conformance", group=group)


class TestVectorStoreByBoth(VectorStoreIntegrationTests):
    """The same with words and vectors. The texts of the suite are single words, which are their own best hits."""

    @pytest.fixture
    def vectorstore(self, db: crabro.Database, group: str) -> VectorStore:
        return CrabroVectorStore(db, self.get_embeddings(), collection="conformance", group=group, by="both")


class TestRetriever(RetrieversIntegrationTests):
    @pytest.fixture(autouse=True)
    def _filled(self, db: crabro.Database, group: str) -> None:
        self.store = CrabroVectorStore(db, Letters(), collection="letters", group=group)
        self.store.add_texts([f"a boat along the coast, trip {i}" for i in range(5)])

    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return CrabroRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"store": self.store}

    @property
    def retriever_query_example(self) -> str:
        return "boat trip"


class TestWordsRetriever(TestRetriever):
    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"store": self.store, "by": "words"}


class TestIndex(DocumentIndexerTestSuite):
    @pytest.fixture
    def index(self, db: crabro.Database, group: str) -> CrabroDocumentIndex:
        embedding = DeterministicFakeEmbedding(size=6)
        return CrabroDocumentIndex(store=CrabroVectorStore(db, embedding, collection="conformance", group=group))


class TestAsyncIndex(AsyncDocumentIndexTestSuite):
    @pytest.fixture
    async def index(self, db: crabro.Database, group: str) -> CrabroDocumentIndex:
        embedding = DeterministicFakeEmbedding(size=6)
        return CrabroDocumentIndex(store=CrabroVectorStore(db, embedding, collection="conformance", group=group))


# Beyond the suites

TEXTS = ["a boat along the coast", "a car on the coast road", "green tea", "black tea with milk"]
METADATAS: list[dict[str, Any]] = [
    {"page": 1, "tags": ["sea"], "by": {"name": "Ann"}},
    {"page": 2.5, "tags": ["sea", "road"]},
    {"page": "3", "day": "2024-05-01"},
    {},
]


@pytest.mark.parametrize(
    ("filter", "expected"),
    [
        ({"page": 1}, "0"),
        ({"page": {"$gte": 1}}, "01"),
        ({"page": "3"}, "2"),
        ({"page": {"$ne": 1}}, "123"),
        ({"page": {"$in": [1, "3"]}}, "02"),
        ({"page": {"$nin": [1, "3"]}}, "13"),
        ({"page": {"$exists": False}}, "3"),
        ({"tags": {"$contains": "road"}}, "1"),
        ({"by.name": "Ann"}, "0"),
        ({"day": {"$lt": "2024-05-02T00:00:00Z"}}, "2"),
        ({"$or": [{"page": 1}, {"$not": {"page": {"$exists": True}}}]}, "03"),
        ({"$and": [{"page": {"$gt": 0}}, {"page": {"$lt": 2}}]}, "0"),
        ({"unknown": 1}, ""),
        ({}, "0123"),
    ],
)
def test_filters(store: CrabroVectorStore, filter: dict[str, Any], expected: str) -> None:
    store.add_texts(TEXTS, METADATAS, ids=list("0123"))

    found = store.similarity_search("coast", k=10, filter=filter)

    assert sorted(each.id or "" for each in found) == list(expected)
    assert all(each.metadata == METADATAS[int(each.id or "")] for each in found)


def test_a_wrong_filter_says_why(store: CrabroVectorStore) -> None:
    with pytest.raises(crabro.QueryError, match=r"\$near"):
        store.similarity_search("x", filter={"page": {"$near": 1}})


def test_scores_and_relevance_are_cosines(store: CrabroVectorStore) -> None:
    store.add_texts(TEXTS)

    (best, score), *others = store.similarity_search_with_score(TEXTS[2], k=4)

    assert best.page_content == TEXTS[2]
    assert score == pytest.approx(1)
    assert all(other < score for _, other in others)
    relevant = store.similarity_search_with_relevance_scores(TEXTS[2], k=4, score_threshold=0.999)
    assert [document.page_content for document, _ in relevant] == [TEXTS[2]]


def test_searches_by_words_and_both(store: CrabroVectorStore) -> None:
    store.add_texts(TEXTS, ids=list("0123"))

    assert {each.id for each in store.similarity_search("coast", by="words")} == {"0", "1"}
    assert store.similarity_search("green tea", by="both")[0].id == "2"
    retriever = CrabroRetriever(store=store, k=1)
    assert [each.id for each in retriever.invoke("milk", by="words", k=3)] == ["3"]
    with pytest.raises(TypeError, match="size"):
        retriever.invoke("milk", size=3)


def test_a_store_without_embedding_searches_words(db: crabro.Database, group: str) -> None:
    store = CrabroVectorStore(db, collection="plain", group=group)
    store.add_texts(TEXTS, ids=list("0123"))

    assert [each.id for each in store.similarity_search("milk")] == ["3"]
    with pytest.raises(ValueError, match="embedding"):
        store.similarity_search("milk", by="vector")
    with pytest.raises(ValueError, match="embedding"):
        store.max_marginal_relevance_search("milk")
    with pytest.raises(ValueError, match="embedding"):
        CrabroVectorStore(db, by="both")


def test_marginal_relevance_is_that_of_langchain(store: CrabroVectorStore) -> None:
    texts = [f"{a} {b}" for a in ("boat", "coast", "tea", "milk") for b in ("boats", "road", "tree")]
    reference = InMemoryVectorStore(Letters())
    reference.add_texts(texts)
    store.add_texts(texts)

    for lambda_mult in (0.0, 0.3, 0.7, 1.0):
        ours = store.max_marginal_relevance_search("boat road", k=5, fetch_k=8, lambda_mult=lambda_mult)
        theirs = reference.max_marginal_relevance_search("boat road", k=5, fetch_k=8, lambda_mult=lambda_mult)
        assert [each.page_content for each in ours] == [each.page_content for each in theirs]


def test_retrievers_of_langchain_work(store: CrabroVectorStore) -> None:
    store.add_texts(TEXTS, METADATAS, ids=list("0123"))

    assert store.as_retriever(search_kwargs={"k": 1, "filter": {"page": "3"}}).invoke("coast")[0].id == "2"
    mmr = store.as_retriever(search_type="mmr", search_kwargs={"k": 2, "fetch_k": 4})
    assert len(mmr.invoke("coast")) == 2
    threshold = store.as_retriever(search_type="similarity_score_threshold", search_kwargs={"score_threshold": 0.999})
    assert [each.page_content for each in threshold.invoke(TEXTS[0])] == [TEXTS[0]]


def test_deletes(store: CrabroVectorStore) -> None:
    store.add_texts(TEXTS, METADATAS, ids=list("0123"))

    store.delete(filter={"tags": {"$contains": "road"}})
    assert [each.id for each in store.get_by_ids(list("0123"))] == ["0", "2", "3"]
    store.delete([])
    with pytest.raises(ValueError, match="clear"):
        store.delete()
    assert store.clear() == 3


def test_lists_of_other_lengths_are_refused(store: CrabroVectorStore) -> None:
    with pytest.raises(ValueError, match="2 texts and 1 ids"):
        store.add_texts(["a", "b"], ids=["a"])
    with pytest.raises(ValueError, match="2 texts and 1 metadatas"):
        store.add_texts(["a", "b"], [{}])
    assert store.add_texts([]) == []


def test_from_texts(db: crabro.Database, group: str) -> None:
    store = CrabroVectorStore.from_texts(["tea"], Letters(), [{"a": 1}], database=db, collection="letters", group=group)
    assert store.similarity_search("tea")[0].metadata == {"a": 1}
    with pytest.raises(ValueError, match="database"):
        CrabroVectorStore.from_texts(["tea"], Letters())


async def test_asyncio_calls_asynchronous_embeddings_alone(db: crabro.Database, group: str) -> None:
    store = await CrabroVectorStore.afrom_texts(
        TEXTS,
        AsyncLetters(),
        METADATAS,
        ids=list("0123"),
        database=db,
        collection="letters",
        group=group,
    )

    assert (await store.asimilarity_search("green tea"))[0].id == "2"
    assert (await store.asimilarity_search("green tea", by="both", filter={"page": 1}))[0].id == "0"
    assert len(await store.amax_marginal_relevance_search("tea", k=2)) == 2
    assert (await CrabroRetriever(store=store, k=1).ainvoke("green tea"))[0].id == "2"
    assert len(await store.asimilarity_search_by_vector(Letters().embed_query("tea"), k=3)) == 3
    await store.adelete(filter={"page": 1})
    assert await store.aget_by_ids(["0"]) == []
    assert await store.aclear() == 3


# Indexing


def documents(*texts: str, source: str = "s") -> list[Document]:
    return [Document(page_content=text, metadata={"source": source}) for text in texts]


@pytest.mark.parametrize("cleanup", [None, "incremental", "full", "scoped_full"])
def test_indexing_does_what_the_manager_in_memory_does(
    db: crabro.Database, group: str, store: CrabroVectorStore, cleanup: Any
) -> None:
    managers: list[RecordManager] = [CrabroRecordManager(f"a:b,{group}", db), InMemoryRecordManager("x")]
    stores: list[VectorStore] = [store, InMemoryVectorStore(Letters())]
    rounds = [
        documents("one", "two", "three"),
        documents("one", "two", "three"),
        documents("two", "four"),
        documents("five", source="t"),
        [],
    ]
    for part in rounds:
        results = [
            index(
                copy.deepcopy(part), manager, each, cleanup=cleanup, source_id_key="source", key_encoder="sha256",
                cleanup_batch_size=2,
            )
            for manager, each in zip(managers, stores, strict=True)
        ]  # fmt: skip
        assert results[0] == results[1]
        assert sorted(managers[0].list_keys()) == sorted(managers[1].list_keys())
    found = [sorted(d.page_content for d in each.similarity_search("x", k=20)) for each in stores]
    assert found[0] == found[1]


async def test_asynchronous_indexing(db: crabro.Database, group: str, store: CrabroVectorStore) -> None:
    manager = CrabroRecordManager(group, db)
    await manager.acreate_schema()
    for texts, added, deleted in ((("one", "two"), 2, 0), (("two",), 0, 1)):
        result = await aindex(
            documents(*texts), manager, store, cleanup="full", source_id_key="source", key_encoder="sha256"
        )
        assert (result["num_added"], result["num_deleted"]) == (added, deleted)


def test_an_index_of_documents_can_be_indexed(db: crabro.Database, group: str, store: CrabroVectorStore) -> None:
    manager = CrabroRecordManager(group, db)
    result = index(documents("one"), manager, CrabroDocumentIndex(store=store), key_encoder="sha256")
    assert result["num_added"] == 1
    assert CrabroDocumentIndex(store=store, k=1).invoke("one")[0].page_content == "one"


def test_records(db: crabro.Database, group: str) -> None:
    manager = CrabroRecordManager(group, db)
    manager.create_schema()
    assert manager.list_keys(group_ids=["g"]) == []
    assert manager.exists(["a"]) == [False]
    first = manager.get_time()
    manager.update(["a", "b"], group_ids=["g", None])
    middle = manager.get_time()
    while (second := manager.get_time()) == middle:
        pass
    manager.update(["c", "a"], group_ids=["h", "h"], time_at_least=second)

    assert manager.exists(["a", "x", "c"]) == [True, False, True]
    assert sorted(manager.list_keys()) == ["a", "b", "c"]
    assert manager.list_keys(before=second) == ["b"]
    assert sorted(manager.list_keys(after=middle)) == ["a", "c"]
    assert sorted(manager.list_keys(group_ids=["h", "g"])) == ["a", "c"]
    assert sorted(manager.list_keys(group_ids=[None, "g"])) == ["b"]  # type: ignore[list-item]
    assert len(manager.list_keys(limit=2)) == 2
    assert CrabroRecordManager(f"{group}x", db).list_keys() == []
    manager.delete_keys(["a", "x"])
    assert sorted(manager.list_keys()) == ["b", "c"]
    with pytest.raises(ValueError, match="group_ids"):
        manager.update(["a"], group_ids=[])
    with pytest.raises(ValueError, match="time_at_least"):
        manager.update(["a"], time_at_least=first + 10_000)


async def test_asynchronous_records(db: crabro.Database, group: str) -> None:
    manager = CrabroRecordManager(group, db)
    await manager.aupdate(["a"], group_ids=["g"], time_at_least=await manager.aget_time())
    assert await manager.aexists(["a", "b"]) == [True, False]
    assert await manager.alist_keys(group_ids=["g"]) == ["a"]
    await manager.adelete_keys(["a"])
    assert await manager.alist_keys() == []
