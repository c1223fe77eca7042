package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.Schema;
import org.crabro.content.search.execution.Mails;
import org.crabro.content.storage.graph.StoredGraph;
import org.crabro.content.storage.index.IndexSettings;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.LogFiles.LogFile;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankedQuery;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.wire.Deadline;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compares approximate searches of a node with exact ones, while documents come and go. */
@Tag("all-compilers")
class NeighborSearchTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final TensorType VECTOR = TensorType.parse("tensor<bfloat16>(x[8])");
    private static final int DOCUMENTS = 1_500;
    private static final int HITS = 10;
    private static final DocumentType TYPE =
            new DocumentType(
                    "item",
                    List.of(
                            new Field("vector", new FieldType.TensorOf(VECTOR), true),
                            new Field("size", FieldType.Primitive.INT, true)));

    private final Random random = new Random(SEED);
    private final LogFiles files = new MemoryLogFiles();
    private final IndexSettings settings = new IndexSettings(false, 50, 1 << 20, 1 << 20, 2);
    private final Map<DocumentId, Integer> sizes = new TreeMap<>(NeighborSearchTest::compare);

    private static int compare(DocumentId one, DocumentId other) {
        return one.toString().compareTo(other.toString());
    }

    private static Schema schema() {
        return FastSearchSchema.of(
                TYPE,
                Set.of(Aspect.ATTRIBUTE, Aspect.INDEX),
                "size",
                Map.of("unranked", Mails.SCHEMA.rankProfiles().get("unranked")));
    }

    private NodeFixture node() throws IOException {
        return NodeFixture.open(NodeFixture.settings().withIndex(settings), files)
                .serving(NodeFixture.model(Map.of("item", schema())));
    }

    private DenseTensor vector() {
        double[] cells = new double[8];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = random.nextGaussian();
        }
        return DenseTensor.of(VECTOR, cells);
    }

    private void put(NodeFixture node, int number) {
        DocumentId id = DocumentId.parse("id:a:item::" + number);
        int size = random.nextInt(100);
        assertThat(
                        node.put(
                                id,
                                Map.of(
                                        "vector",
                                        new FieldValue.TensorValue(vector()),
                                        "size",
                                        new FieldValue.IntValue(size))))
                .isInstanceOf(WriteReply.Stored.class);
        sizes.put(id, size);
    }

    private void remove(NodeFixture node, int number) {
        DocumentId id = DocumentId.parse("id:a:item::" + number);
        assertThat(node.remove(id)).isInstanceOf(WriteReply.Stored.class);
        sizes.remove(id);
    }

    @Test
    void findsTheNearestWhileDocumentsComeAndGo() throws IOException {
        NodeFixture node = node();
        try {
            for (int i = 0; i < DOCUMENTS; i++) {
                put(node, i);
            }
            check(node, false, "in memory");
            node.flush();
            check(node, false, "flushed");
            node.node().index(settings);
            check(node, true, "with graphs");
            for (int i = 0; i < 300; i++) {
                remove(node, random.nextInt(DOCUMENTS));
                put(node, random.nextInt(DOCUMENTS + 200));
            }
            check(node, true, "after changes in memory");
            node.flush();
            check(node, true, "after a second flush");
            node.node().index(settings);
            node.node().settle(Deadline.after(Duration.ofMinutes(1)));
            node.node().index(settings);
            check(node, true, "after merges");
            assertThat(graphs()).isNotEmpty();
            node.node().close();
            damage();
            node.restart();
            node.activate(NodeFixture.model(Map.of("item", schema())));
            check(node, false, "with damaged graphs");
            node.node().index(settings);
            check(node, true, "with graphs built again");
        } finally {
            node.close();
        }
    }

    private List<String> graphs() throws IOException {
        var names = new ArrayList<String>();
        for (int partition = 0; partition < 2; partition++) {
            String directory = DocumentStore.directory(partition);
            for (String name : files.list(directory)) {
                if (StoredGraph.isName(name)) {
                    names.add(directory + "/" + name);
                }
            }
        }
        return names;
    }

    /** Deletes a file with graphs, and cuts the others. */
    private void damage() throws IOException {
        boolean isFirst = true;
        for (String path : graphs()) {
            if (isFirst) {
                files.delete(path);
            } else {
                try (LogFile file = files.open(path)) {
                    file.resize(file.size() / 2);
                }
            }
            isFirst = false;
        }
    }

    /** Compares searches with conditions of several selectivities. */
    private void check(NodeFixture node, boolean hasGraphs, String what) {
        for (int below : List.of(100, 60, 15, 1)) {
            int recalled = 0;
            boolean usesGraphs = false;
            for (int i = 0; i < 5; i++) {
                QueryInput query = new QueryInput.TensorInput(vector());
                SearchReply.Found near = search(node, query, true, below);
                SearchReply.Found exact = search(node, query, false, below);
                Set<DocumentId> ids = ids(near);
                assertThat(near.totalCount()).as(what).isEqualTo(exact.totalCount());
                assertThat(exact.report().coverage()).isEqualTo(near.report().coverage());
                assertThat(ids).allMatch(id -> sizes.getOrDefault(id, below) < below);
                usesGraphs |= String.join("\n", near.report().trace()).contains("of graphs");
                assertThat(String.join("\n", exact.report().trace())).doesNotContain("of graphs");
                ids.retainAll(ids(exact));
                recalled += ids.size();
            }
            // Few rows with a small number are compared exactly.
            if (below == 100 || !hasGraphs) {
                assertThat(usesGraphs).as("%s, below %d", what, below).isEqualTo(hasGraphs);
            }
            long expected =
                    5L
                            * Math.min(
                                    HITS,
                                    sizes.values().stream().filter(size -> size < below).count());
            assertThat((double) recalled / expected)
                    .as("%s, below %d, seed %d", what, below, SEED)
                    .isGreaterThan(usesGraphs ? 0.85 : 0.999);
        }
    }

    private static Set<DocumentId> ids(SearchReply.Found reply) {
        return reply.hits().stream()
                .map(hit -> hit.id())
                .collect(Collectors.toCollection(HashSet::new));
    }

    private SearchReply.Found search(
            NodeFixture node, QueryInput query, boolean approximate, int below) {
        QueryNode nearest =
                new QueryNode.NearestNeighbor(
                        "vector",
                        "q",
                        HITS,
                        OptionalDouble.empty(),
                        new QueryNode.Exploration(approximate, 40),
                        TermSettings.DEFAULT);
        QueryNode tree =
                below == 100
                        ? nearest
                        : new QueryNode.And(
                                List.of(
                                        nearest,
                                        new QueryNode.Range(
                                                "size",
                                                new RangeEnd.Unbounded(),
                                                new RangeEnd.Whole(below, false),
                                                TermSettings.DEFAULT)));
        return node.search(
                "item",
                new RankedQuery(
                        tree,
                        new RankSettings(
                                "unranked",
                                Map.of("q", query),
                                RankSettings.Statistics.NONE,
                                Mails.NOW)),
                new HitSettings(HITS, List.of(), SummarySettings.DEFAULT),
                1);
    }
}
