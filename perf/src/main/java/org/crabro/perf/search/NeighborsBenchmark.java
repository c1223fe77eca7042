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
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.crabro.content.ContentNode;
import org.crabro.content.ContentSettings;
import org.crabro.content.NodePlace;
import org.crabro.content.ThreadSettings;
import org.crabro.content.merge.CompactionSettings;
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
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;

/**
 * Approximate neighbors among all documents of a type in mode {@code index}, in process and on one
 * thread, against a graph of Lucene over the same vectors. Each has one segment. Vectors are
 * clustered. Both graphs are built at the same time, on a thread each.
 */
public final class NeighborsBenchmark implements Benchmark {
    private static final int VECTORS = Scale.of(1_000_000);
    private static final int CELLS = 384;
    private static final int CELLS_MAX = 4_096;
    private static final int LINKS = 16;
    private static final int EXPLORED = 200;
    private static final int QUERIES = 100;
    private static final int HITS = 10;
    private static final int PARTS = 1_000;
    private static final int WRITERS = 64;

    /** How many runs the second node merges. */
    private static final int MERGED = 4;

    /** With more vectors there is no second node, since its graphs take twice the time of one. */
    private static final int MERGED_MAX = 250_000;

    private static final List<Integer> ADDITIONAL = List.of(0, 20, 50, 100, 200, 400);

    /** Of 1,000 documents, how many fulfil the other condition. */
    private static final List<Integer> KEPT = List.of(500, 100, 10, 1);

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final int cells;

    /** The files of the vectors; empty for generated ones. */
    private final Optional<Path> source;

    /** Measures generated vectors of 384 cells. */
    public NeighborsBenchmark() {
        this(CELLS, Optional.empty());
    }

    private NeighborsBenchmark(int cells, Optional<Path> source) {
        this.cells = cells;
        this.source = source;
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

    @Override
    public String name() {
        return "neighbors";
    }

    @Override
    public String summary() {
        return "approximate neighbors among all documents in mode index, against Lucene in process;"
                + " [CELLS [DIRECTORY]]: the directory has files of perf/peers/vectors.py";
    }

    @Override
    public Optional<Benchmark> only(List<String> parts) {
        if (parts.size() > 2 || !parts.getFirst().matches("[1-9][0-9]{0,3}")) {
            return Optional.empty();
        }
        int given = Integer.parseInt(parts.getFirst());
        return given > CELLS_MAX
                ? Optional.empty()
                : Optional.of(
                        new NeighborsBenchmark(
                                given, parts.stream().skip(1).map(Path::of).findFirst()));
    }

    @Override
    public Prepared prepare(Path folder) throws Exception {
        ItemVectors vectors =
                source.isPresent()
                        ? ItemVectors.in(source.get(), cells)
                        : ItemVectors.generated(VECTORS, cells);
        int count = vectors.count();
        Path data = Files.createDirectory(folder.resolve("data"));
        Path luceneFolder = folder.resolve("lucene");
        ContentNode node = open(data);
        feed(node, vectors, 0, count);
        node.settle(Deadline.after(Duration.ofHours(1)));
        double building;
        Timed<LuceneVectors> built;
        try (var other = Executors.newSingleThreadExecutor()) {
            Future<Timed<LuceneVectors>> inBackground =
                    other.submit(() -> buildLucene(luceneFolder, vectors));
            building = build(node);
            built = inBackground.get();
        }
        LuceneVectors lucene = built.value();
        Optional<Timed<ContentNode>> merged =
                count > MERGED_MAX
                        ? Optional.empty()
                        : Optional.of(merged(folder.resolve("merged"), vectors));
        Queries queries = Queries.of(vectors);
        var searched = new Searched(node, count, queries.inputs());
        var exact = new Expected(searched);
        var isFirst = new AtomicBoolean(true);
        var warm = new HashSet<String>();
        return new Prepared() {
            @Override
            public void measure(Figures figures) throws Exception {
                if (isFirst.getAndSet(false)) {
                    figures.add("build", "vectors per processor second", count / building);
                    figures.add("build over Lucene", "", built.seconds() / building);
                    merged.ifPresent(joined ->
                            figures.add(
                                    "join of graphs over build", "", joined.seconds() / building));
                    figures.add(
                            "bytes of graphs per vector",
                            "",
                            (double) bytes(data, StoredGraph.SUFFIX) / count);
                    figures.add(
                            "bytes of Lucene per vector",
                            "",
                            (double) bytes(luceneFolder, "") / count);
                }
                for (int more : ADDITIONAL) {
                    compare(figures, "all, %d more".formatted(more), more, PARTS);
                }
                if (merged.isPresent()) {
                    compareJoined(figures, merged.get().value());
                }
                for (int kept : KEPT) {
                    compare(figures, "%.1f %%, 100 more".formatted(kept / 10.0), 100, kept);
                }
            }

            private void compareJoined(Figures figures, ContentNode merged) throws Exception {
                var searched = new Searched(merged, count, queries.inputs());
                for (int more : ADDITIONAL) {
                    Search joined = query -> searched.nearest(query, true, more, PARTS);
                    figures.add(
                            "all, %d more: recall, joined".formatted(more),
                            "",
                            outcome(exact.of(PARTS), joined).recall());
                }
            }

            private void compare(Figures figures, String what, int more, int below)
                    throws Exception {
                List<Set<Integer>> expected = exact.of(below);
                Search own = query -> searched.nearest(query, true, more, below);
                Search other =
                        query ->
                                lucene.nearest(
                                        queries.vectors().get(query),
                                        HITS,
                                        HITS + more,
                                        below,
                                        PARTS);
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
                if (merged.isPresent()) {
                    merged.get().value().close();
                }
                node.close();
            }
        };
    }

    /** A value, and the processor time in seconds in which it was built. */
    private record Timed<T>(T value, double seconds) {}

    private Timed<LuceneVectors> buildLucene(Path folder, ItemVectors vectors) throws IOException {
        long begin = THREADS.getCurrentThreadCpuTime();
        LuceneVectors lucene =
                LuceneVectors.build(
                        folder,
                        vectors.count(),
                        LINKS,
                        EXPLORED,
                        vectors::vector,
                        NeighborsBenchmark::part);
        return new Timed<>(lucene, (THREADS.getCurrentThreadCpuTime() - begin) / 1e9);
    }

    /** Opens a node whose graph is joined from those of several runs. */
    private Timed<ContentNode> merged(Path data, ItemVectors vectors) throws Exception {
        long count = vectors.count();
        ContentNode node = open(Files.createDirectory(data));
        for (int i = 0; i < MERGED; i++) {
            feed(node, vectors, (int) (i * count / MERGED), (int) ((i + 1) * count / MERGED));
            node.flush();
            build(node);
        }
        node.settle(Deadline.after(Duration.ofHours(1)));
        return new Timed<>(node, build(node));
    }

    /** Opens a node of one partition that merges and builds only on request. */
    private ContentNode open(Path data) throws Exception {
        ContentSettings settings =
                ContentSettings.in(data)
                        .withPlace(new NodePlace(data, new Partitions(0), Set.of(0), 1))
                        .withRecent(
                                GeneratedStore.recent(1L << 30)
                                        .withCompaction(
                                                CompactionSettings.DEFAULT.withAutomatic(false)))
                        .withThreads(new ThreadSettings(1, 100, 1, 1))
                        .withIndex(IndexSettings.NONE);
        ContentNode node = ContentNode.open(settings);
        node.activate(GeneratedStore.compiled(files(cells)));
        return node;
    }

    /** Builds indexes; returns the processor time in seconds. */
    private static double build(ContentNode node) throws IOException {
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

    /** A search that returns the numbers of documents. */
    private interface Search {
        int[] nearest(int query) throws Exception;
    }

    /**
     * What is searched for.
     *
     * @param vectors as Lucene takes them
     * @param inputs the same vectors, as a query takes them
     */
    private record Queries(List<float[]> vectors, List<QueryInput> inputs) {
        static Queries of(ItemVectors items) {
            List<float[]> vectors = IntStream.range(0, QUERIES).mapToObj(items::query).toList();
            return new Queries(
                    vectors,
                    vectors.stream()
                            .<QueryInput>map(each -> new QueryInput.TensorInput(tensor(each)))
                            .toList());
        }
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
            for (int number : search.nearest(i)) {
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
                        for (int query = 0; query < QUERIES; query++) {
                            int[] nearest = searched.nearest(query, false, 0, below);
                            var numbers = new HashSet<Integer>();
                            Arrays.stream(nearest).forEach(numbers::add);
                            all.add(numbers);
                        }
                        return all;
                    });
        }
    }

    /** Searches a node. */
    private record Searched(ContentNode node, int count, List<QueryInput> inputs) {
        int[] nearest(int query, boolean approximate, int more, int below) {
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
                                                    Map.of("q", inputs.get(query)),
                                                    RankSettings.Statistics.NONE,
                                                    0)),
                                    new HitSettings(
                                            HITS, List.of(), new SummarySettings("ids", List.of())),
                                    GroupingSettings.NONE,
                                    new ReplySettings(false, 0)));
            if (reply instanceof SearchReply.Found found
                    && found.report().coverage().documents() == count) {
                return found.hits().stream().mapToInt(hit -> number(hit.id().toString())).toArray();
            }
            throw new IllegalStateException("not all was searched: " + reply);
        }
    }

    private static RequestHeader header() {
        return new RequestHeader(Principal.EVERYONE, 1, Deadline.after(Duration.ofMinutes(10)));
    }

    private static void feed(ContentNode node, ItemVectors vectors, int from, int end)
            throws Exception {
        var partitions = new Partitions(0);
        var next = new AtomicInteger(from);
        Items.onThreads(
                Executors.newFixedThreadPool(WRITERS),
                WRITERS,
                () -> {
                    for (int i = next.getAndIncrement(); i < end; i = next.getAndIncrement()) {
                        var id = new DocumentId("perf", "item", new LocationKey.Plain(), "v" + i);
                        Map<String, FieldValue> fields =
                                Map.of(
                                        "part",
                                        new FieldValue.IntValue(part(i)),
                                        "vector",
                                        new FieldValue.TensorValue(tensor(vectors.vector(i))));
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

    private static DenseTensor tensor(float[] vector) {
        double[] cells = new double[vector.length];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = vector[i];
        }
        return DenseTensor.of(
                TensorType.parse("tensor<bfloat16>(x[%d])".formatted(cells.length)), cells);
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
