package org.crabro.perf.search;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.crabro.content.storage.graph.StoredGraph;
import org.crabro.perf.compare.LuceneVectors;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.Scale;
import org.crabro.protocol.search.QueryInput;

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
        ItemNode node = ItemNode.open(data, cells);
        node.feed(vectors, 0, count);
        node.settle();
        double building;
        Timed<LuceneVectors> built;
        try (var other = Executors.newSingleThreadExecutor()) {
            Future<Timed<LuceneVectors>> inBackground =
                    other.submit(() -> buildLucene(luceneFolder, vectors));
            building = node.build();
            built = inBackground.get();
        }
        LuceneVectors lucene = built.value();
        Optional<Timed<ItemNode>> merged =
                count > MERGED_MAX
                        ? Optional.empty()
                        : Optional.of(merged(folder.resolve("merged"), vectors));
        Queries queries = Queries.of(vectors);
        var exact = new Expected(node, queries);
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
                    compare(figures, "all, %d more".formatted(more), more, ItemNode.PARTS);
                }
                if (merged.isPresent()) {
                    compareJoined(figures, merged.get().value());
                }
                for (int percent : KEPT) {
                    compare(figures, "%.1f %%, 100 more".formatted(percent / 10.0), 100, percent);
                }
            }

            private void compareJoined(Figures figures, ItemNode merged) throws Exception {
                for (int more : ADDITIONAL) {
                    Search joined = byGraph(merged, more, ItemNode.PARTS);
                    figures.add(
                            "all, %d more: recall, joined".formatted(more),
                            "",
                            outcome(exact.of(ItemNode.PARTS), joined).recall());
                }
            }

            private void compare(Figures figures, String what, int more, int below)
                    throws Exception {
                List<Set<Integer>> expected = exact.of(below);
                Search own = byGraph(node, more, below);
                Search other =
                        query ->
                                lucene.nearest(
                                        queries.vectors().get(query),
                                        HITS,
                                        HITS + more,
                                        below,
                                        ItemNode.PARTS);
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

            private Search byGraph(ItemNode node, int more, int below) {
                return query -> node.nearestByGraph(queries.inputs().get(query), HITS, more, below);
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
                        folder, vectors.count(), LINKS, EXPLORED, vectors::vector, ItemNode::part);
        return new Timed<>(lucene, (THREADS.getCurrentThreadCpuTime() - begin) / 1e9);
    }

    /** Opens a node whose graph is joined from those of several runs. */
    private Timed<ItemNode> merged(Path data, ItemVectors vectors) throws Exception {
        long count = vectors.count();
        ItemNode node = ItemNode.open(Files.createDirectory(data), cells);
        for (int i = 0; i < MERGED; i++) {
            node.feed(vectors, (int) (i * count / MERGED), (int) ((i + 1) * count / MERGED));
            node.flush();
            node.build();
        }
        node.settle();
        return new Timed<>(node, node.build());
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
                            .<QueryInput>map(
                                    each -> new QueryInput.TensorInput(ItemNode.tensor(each)))
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
        int hits = 0;
        int all = 0;
        long begin = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < QUERIES; i++) {
            for (int number : search.nearest(i)) {
                hits += expected.get(i).contains(number) ? 1 : 0;
            }
            all += expected.get(i).size();
        }
        double seconds = (THREADS.getCurrentThreadCpuTime() - begin) / 1e9;
        return new Outcome((double) hits / Math.max(1, all), seconds / QUERIES);
    }

    /** The nearest documents of each query, by comparing all. */
    private record Expected(
            ItemNode node, Queries queries, Map<Integer, List<Set<Integer>>> expected) {
        Expected(ItemNode node, Queries queries) {
            this(node, queries, new HashMap<>());
        }

        List<Set<Integer>> of(int below) {
            return expected.computeIfAbsent(
                    below,
                    _ -> {
                        var all = new ArrayList<Set<Integer>>();
                        for (int query = 0; query < QUERIES; query++) {
                            int[] nearest =
                                    node.nearestOfAll(queries.inputs().get(query), HITS, below);
                            var numbers = new HashSet<Integer>();
                            Arrays.stream(nearest).forEach(numbers::add);
                            all.add(numbers);
                        }
                        return all;
                    });
        }
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
