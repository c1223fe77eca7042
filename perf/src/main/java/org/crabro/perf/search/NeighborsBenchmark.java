package org.crabro.perf.search;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.crabro.content.ContentNode;
import org.crabro.content.ContentSettings;
import org.crabro.content.NodePlace;
import org.crabro.content.ThreadSettings;
import org.crabro.content.neighbors.StoredGraph;
import org.crabro.content.sidecar.IndexSettings;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.perf.compare.LuceneVectors;
import org.crabro.perf.data.GeneratedStore;
import org.crabro.perf.data.Items;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.Scale;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.feed.FeedRequest;
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
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;

/**
 * Approximate neighbors among all documents of a type in mode {@code index}, in process and on one
 * thread, against a graph of Lucene over the same vectors. Each has one segment. Vectors are
 * clustered.
 */
public final class NeighborsBenchmark implements Benchmark {
    private static final int VECTORS = Scale.of(1_000_000);
    private static final int CELLS = 384;
    private static final int LINKS = 16;
    private static final int EXPLORED = 200;
    private static final int CLUSTER = 500;
    private static final int QUERIES = 100;
    private static final int HITS = 10;
    private static final int PARTS = 1_000;
    private static final int WRITERS = 64;
    private static final TensorType TYPE = TensorType.parse("tensor<bfloat16>(x[384])");
    private static final List<Integer> ADDITIONAL = List.of(0, 20, 50, 100, 200, 400);

    /** Of 1,000 documents, how many fulfil the other condition. */
    private static final List<Integer> KEPT = List.of(500, 100, 10, 1);

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static final Map<String, String> PACKAGE =
            Map.of(
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
                        field vector type tensor<bfloat16>(x[384]) {
                          indexing: attribute | index
                          attribute { distance-metric: angular }
                          index { hnsw { max-links-per-node: 16 neighbors-to-explore-at-insert: 200 } }
                        }
                      }
                      document-summary ids { summary documentid {} }
                      rank-profile near {
                        inputs { query(q) tensor<bfloat16>(x[384]) }
                        first-phase { expression: closeness(field, vector) }
                      }
                    }
                    """);

    @Override
    public String name() {
        return "neighbors";
    }

    @Override
    public String summary() {
        return "approximate neighbors among all documents in mode index, against Lucene in process";
    }

    @Override
    public Prepared prepare(Path folder) throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        ContentSettings settings =
                ContentSettings.in(data)
                        .withPlace(new NodePlace(data, new Partitions(0), Set.of(0), 1))
                        .withRecent(GeneratedStore.recent(1L << 30))
                        .withThreads(new ThreadSettings(1, 100, 1, 1))
                        .withIndex(IndexSettings.NONE);
        ContentNode node = ContentNode.open(settings);
        node.activate(GeneratedStore.compiled(PACKAGE));
        feed(node);
        node.settle(Deadline.after(Duration.ofHours(1)));
        long begin = THREADS.getCurrentThreadCpuTime();
        node.index(
                new IndexSettings(
                        true,
                        IndexSettings.DEFAULT.rowsMin(),
                        IndexSettings.DEFAULT.buildBytes(),
                        1L << 30,
                        1));
        double building = (THREADS.getCurrentThreadCpuTime() - begin) / 1e9;
        Path luceneFolder = folder.resolve("lucene");
        begin = THREADS.getCurrentThreadCpuTime();
        LuceneVectors lucene =
                LuceneVectors.build(
                        luceneFolder,
                        VECTORS,
                        LINKS,
                        EXPLORED,
                        NeighborsBenchmark::vector,
                        NeighborsBenchmark::part);
        double luceneBuilding = (THREADS.getCurrentThreadCpuTime() - begin) / 1e9;
        var searched = new Searched(node);
        var exact = new Expected(searched);
        var isFirst = new AtomicBoolean(true);
        var warm = new HashSet<String>();
        return new Prepared() {
            @Override
            public void measure(Figures figures) throws Exception {
                if (isFirst.getAndSet(false)) {
                    figures.add("build", "vectors per processor second", VECTORS / building);
                    figures.add("build over Lucene", "", luceneBuilding / building);
                    figures.add(
                            "bytes of graphs per vector",
                            "",
                            (double) bytes(data, StoredGraph.SUFFIX) / VECTORS);
                    figures.add(
                            "bytes of Lucene per vector",
                            "",
                            (double) bytes(luceneFolder, "") / VECTORS);
                }
                for (int more : ADDITIONAL) {
                    compare(figures, "all, %d more".formatted(more), more, PARTS);
                }
                for (int kept : KEPT) {
                    compare(figures, "%.1f %%, 100 more".formatted(kept / 10.0), 100, kept);
                }
            }

            private void compare(Figures figures, String what, int more, int below)
                    throws Exception {
                List<Set<Integer>> expected = exact.of(below);
                Search own = query -> searched.nearest(query, true, more, below);
                Search other = query -> lucene.nearest(query, HITS, HITS + more, below, PARTS);
                if (warm.add(what)) {
                    warmUp(expected, own);
                    warmUp(expected, other);
                }
                Outcome ours = outcome(expected, own);
                Outcome others = outcome(expected, other);
                figures.add(what + ": recall", "", ours.recall());
                figures.add(what + ": recall, Lucene", "", others.recall());
                figures.add(what + ": time", "ms", 1_000 * ours.seconds());
                figures.add(what + ": time, Lucene", "ms", 1_000 * others.seconds());
                figures.add(what + ": rate over Lucene", "", others.seconds() / ours.seconds());
            }

            @Override
            public void close() throws IOException {
                lucene.close();
                node.close();
            }
        };
    }

    /** A search that returns the numbers of documents. */
    private interface Search {
        int[] nearest(float[] query) throws Exception;
    }

    /**
     * What searches found.
     *
     * @param recall the share of the nearest documents
     * @param seconds processor time of a search
     */
    private record Outcome(double recall, double seconds) {}

    /** Searches for a second of processor time, so that the code is compiled. */
    private static void warmUp(List<Set<Integer>> expected, Search search) throws Exception {
        double seconds = 0;
        while (seconds < 1) {
            seconds += QUERIES * outcome(expected, search).seconds();
        }
    }

    private static Outcome outcome(List<Set<Integer>> expected, Search search) throws Exception {
        int found = 0;
        int all = 0;
        long begin = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < QUERIES; i++) {
            for (int number : search.nearest(vector(VECTORS + i))) {
                found += expected.get(i).contains(number) ? 1 : 0;
            }
            all += expected.get(i).size();
        }
        double seconds = (THREADS.getCurrentThreadCpuTime() - begin) / 1e9;
        return new Outcome((double) found / Math.max(1, all), seconds / QUERIES);
    }

    /** The nearest documents of each query, by comparing all. */
    private record Expected(Searched searched, Map<Integer, List<Set<Integer>>> known) {
        Expected(Searched searched) {
            this(searched, new HashMap<>());
        }

        List<Set<Integer>> of(int below) {
            return known.computeIfAbsent(
                    below,
                    _ -> {
                        var all = new ArrayList<Set<Integer>>();
                        for (int i = 0; i < QUERIES; i++) {
                            int[] nearest = searched.nearest(vector(VECTORS + i), false, 0, below);
                            var numbers = new HashSet<Integer>();
                            Arrays.stream(nearest).forEach(numbers::add);
                            all.add(numbers);
                        }
                        return all;
                    });
        }
    }

    /** Searches a node. */
    private record Searched(ContentNode node) {
        int[] nearest(float[] query, boolean approximate, int more, int below) {
            double[] cells = new double[CELLS];
            for (int i = 0; i < CELLS; i++) {
                cells[i] = query[i];
            }
            QueryNode nearest =
                    new QueryNode.NearestNeighbor(
                            "vector",
                            "q",
                            HITS,
                            OptionalDouble.empty(),
                            new QueryNode.Exploration(approximate, more),
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
            QueryInput input = new QueryInput.TensorInput(DenseTensor.of(TYPE, cells));
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
                                                    Map.of("q", input),
                                                    RankSettings.Statistics.NONE,
                                                    0)),
                                    new HitSettings(
                                            HITS, List.of(), new SummarySettings("ids", List.of())),
                                    GroupingSettings.NONE,
                                    new ReplySettings(false, 0)));
            if (reply instanceof SearchReply.Found found
                    && found.report().coverage().documents() == VECTORS) {
                return found.hits().stream().mapToInt(hit -> number(hit.id().toString())).toArray();
            }
            throw new IllegalStateException("not all was searched: " + reply);
        }
    }

    private static RequestHeader header() {
        return new RequestHeader(Principal.EVERYONE, 1, Deadline.after(Duration.ofMinutes(10)));
    }

    private static void feed(ContentNode node) throws Exception {
        var partitions = new Partitions(0);
        var next = new AtomicInteger();
        Items.onThreads(
                Executors.newFixedThreadPool(WRITERS),
                WRITERS,
                () -> {
                    for (int i = next.getAndIncrement(); i < VECTORS; i = next.getAndIncrement()) {
                        var id = new DocumentId("perf", "item", new LocationKey.Plain(), "v" + i);
                        float[] vector = vector(i);
                        double[] cells = new double[CELLS];
                        for (int j = 0; j < CELLS; j++) {
                            cells[j] = vector[j];
                        }
                        Map<String, FieldValue> fields =
                                Map.of(
                                        "part",
                                        new FieldValue.IntValue(part(i)),
                                        "vector",
                                        new FieldValue.TensorValue(DenseTensor.of(TYPE, cells)));
                        Items.check(
                                node.feed(
                                        new FeedRequest(
                                                header(),
                                                partitions.of(id.location()),
                                                new DocumentOperation.Put(
                                                        new Document(id, fields)))));
                    }
                });
    }

    private static int number(String id) {
        return Integer.parseInt(id.substring(id.lastIndexOf(":v") + 2));
    }

    private static int part(int number) {
        return (int) (Integer.toUnsignedLong(number * 0x9e3779b1) % PARTS);
    }

    /** Returns a vector near the center of a random cluster; cells are those of bfloat16. */
    private static float[] vector(int number) {
        var random = new Random(number * 0x9e3779b97f4a7c15L);
        int clusters = Math.max(1, VECTORS / CLUSTER);
        var center = new Random(1_000_003L * random.nextInt(clusters));
        float[] cells = new float[CELLS];
        for (int i = 0; i < CELLS; i++) {
            double cell = center.nextGaussian() + 0.7 * random.nextGaussian();
            cells[i] = (float) CellType.BFLOAT16.narrow(cell);
        }
        return cells;
    }

    private static long bytes(Path folder, String suffix) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            long sum = 0;
            for (Path path : all.filter(Files::isRegularFile).toList()) {
                sum += path.toString().endsWith(suffix) ? Files.size(path) : 0;
            }
            return sum;
        }
    }
}
