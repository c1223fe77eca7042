package org.crabro.perf.search;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.content.node.ContentNode;
import org.crabro.content.node.ContentSettings;
import org.crabro.content.node.NodePlace;
import org.crabro.content.node.ThreadSettings;
import org.crabro.content.storage.index.IndexSettings;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.perf.data.GeneratedStore;
import org.crabro.perf.data.Items;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankedQuery;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SearchScope;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;

/**
 * A node in this process with vectors in mode {@code index}, searched on the calling thread. It has
 * one partition, and merges runs and builds graphs only on request. For one thread.
 */
final class ItemNode implements AutoCloseable {
    /** Numbers of parts; each item is in one. */
    static final int PARTS = 1_000;

    private static final int WRITERS = 64;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final ContentNode node;

    /** How many items have been fed. */
    private int count;

    private ItemNode(ContentNode node) {
        this.node = node;
    }

    /**
     * Opens an empty node.
     *
     * @param data an empty directory
     * @param cells the length of a vector
     */
    static ItemNode open(Path data, int cells) throws Exception {
        ContentNode node =
                ContentNode.open(
                        ContentSettings.in(data)
                                .withPlace(new NodePlace(data, new Partitions(0), Set.of(0), 1))
                                .withRecent(
                                        GeneratedStore.recent(1L << 30)
                                                .withCompaction(
                                                        CompactionSettings.DEFAULT.withAutomatic(
                                                                false)))
                                .withThreads(new ThreadSettings(1, 100, 1, 1))
                                .withIndex(IndexSettings.NONE));
        node.activate(GeneratedStore.compiled(files(cells)));
        return new ItemNode(node);
    }

    private static Map<String, String> files(int cells) {
        return Map.of(
                "services.xml",
                """
                <services version="1.0">
                  <container id="default" version="1.0"><search/><document-api/></container>
                  <content id="items" version="1.0">
                    <min-redundancy>1</min-redundancy>
                    <documents><document type="item" mode="index"/></documents>
                  </content>
                </services>
                """,
                "schemas/item.sd",
                """
                schema item {
                  document item {
                    field part type int {
                      indexing: summary | attribute
                      attribute: fast-search
                    }
                    field vector type tensor<bfloat16>(x[%1$d]) {
                      indexing: attribute | index
                      attribute { distance-metric: angular }
                      index { hnsw { max-links-per-node: 16 neighbors-to-explore-at-insert: 200 } }
                    }
                  }
                  document-summary ids { summary documentid {} }
                  rank-profile near {
                    inputs { query(q) tensor<bfloat16>(x[%1$d]) }
                    first-phase { expression: closeness(field, vector) }
                  }
                }
                """
                        .formatted(cells));
    }

    /** Stores the vectors from the number {@code from} up to {@code end}, exclusive. */
    void feed(ItemVectors vectors, int from, int end) throws Exception {
        var next = new AtomicInteger(from);
        Items.onThreads(
                Executors.newFixedThreadPool(WRITERS),
                WRITERS,
                () -> {
                    for (int i = next.getAndIncrement(); i < end; i = next.getAndIncrement()) {
                        put(i, vectors.vector(i));
                    }
                });
        count += end - from;
    }

    private void put(int number, float[] vector) {
        var id = new DocumentId("perf", "item", new LocationKey.Plain(), "v" + number);
        Map<String, FieldValue> fields =
                Map.of(
                        "part",
                        new FieldValue.IntValue(part(number)),
                        "vector",
                        new FieldValue.TensorValue(tensor(vector)));
        Items.check(
                node.write(
                        header(),
                        new Write.Operation(
                                new Partitions(0).of(id.location()),
                                ConditionalOperation.always(
                                        new DocumentOperation.Put(new Document(id, fields)))),
                        Optional.empty()));
    }

    /** Writes what was fed into a run. */
    void flush() throws IOException {
        node.flush();
    }

    /** Merges all runs into one. */
    void settle() throws IOException {
        node.settle(Deadline.after(Duration.ofHours(1)));
    }

    /** Builds graphs; returns the processor time in seconds. */
    double build() throws IOException {
        long begin = THREADS.getCurrentThreadCpuTime();
        node.index(
                new IndexSettings(
                        true,
                        IndexSettings.DEFAULT.rowsMin(),
                        IndexSettings.DEFAULT.buildBytes(),
                        1L << 30,
                        1));
        return (THREADS.getCurrentThreadCpuTime() - begin) / 1e9;
    }

    /** Returns the numbers of the nearest items among all, by comparing each. */
    int[] nearestOfAll(QueryInput vector, int hits, int below) {
        return nearest(vector, hits, new QueryNode.Exploration(false, 0), below);
    }

    /**
     * Returns the numbers of the nearest items that the graphs find.
     *
     * @param more how many more than {@code hits} items a search of a graph keeps
     * @param below searches only items whose part is below this; {@link #PARTS} for all
     */
    int[] nearestByGraph(QueryInput vector, int hits, int more, int below) {
        return nearest(vector, hits, new QueryNode.Exploration(true, more), below);
    }

    private int[] nearest(
            QueryInput vector, int hits, QueryNode.Exploration exploration, int below) {
        QueryNode nearest =
                new QueryNode.NearestNeighbor(
                        "vector",
                        "q",
                        hits,
                        OptionalDouble.empty(),
                        exploration,
                        TermSettings.DEFAULT);
        QueryNode tree =
                below == PARTS
                        ? nearest
                        : new QueryNode.And(
                                List.of(
                                        nearest,
                                        new QueryNode.Range(
                                                "part",
                                                new RangeEnd.Whole(0, true),
                                                new RangeEnd.Whole(below, false),
                                                TermSettings.DEFAULT)));
        SearchReply reply =
                node.search(
                        new SearchRequest(
                                header(),
                                new SearchScope(
                                        List.of(0), "item", new Scope.Everything(), List.of()),
                                new RankedQuery(
                                        tree,
                                        new RankSettings(
                                                "near",
                                                Map.of("q", vector),
                                                RankSettings.Statistics.NONE,
                                                0)),
                                new HitSettings(
                                        hits, List.of(), new SummarySettings("ids", List.of())),
                                GroupingSettings.NONE,
                                new ReplySettings(false, 0)));
        if (reply instanceof SearchReply.Found found
                && found.report().coverage().documents() == count) {
            return found.hits().stream().mapToInt(hit -> number(hit.id().toString())).toArray();
        }
        throw new IllegalStateException("not all was searched: " + reply);
    }

    private static RequestHeader header() {
        return new RequestHeader(Principal.EVERYONE, 1, Deadline.after(Duration.ofMinutes(10)));
    }

    private static int number(String id) {
        return Integer.parseInt(id.substring(id.lastIndexOf(":v") + 2));
    }

    /** Returns the part of an item, 0 to {@link #PARTS} - 1. */
    static int part(int number) {
        return (int) (Integer.toUnsignedLong(number * 0x9e3779b1) % PARTS);
    }

    /** Returns a vector as the node stores it. */
    static DenseTensor tensor(float[] vector) {
        double[] cells = new double[vector.length];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = vector[i];
        }
        return DenseTensor.of(
                TensorType.parse("tensor<bfloat16>(x[%d])".formatted(cells.length)), cells);
    }

    @Override
    public void close() throws IOException {
        node.close();
    }
}
