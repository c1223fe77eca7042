package org.crabro.content.storage.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.apache.lucene.util.FixedBitSet;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.graph.VectorSection.Kind;
import org.crabro.content.storage.index.BuildMemory;
import org.crabro.content.storage.index.BuildResources;
import org.crabro.content.storage.index.BuildThreads;
import org.crabro.content.storage.index.IndexedRun;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.ranking.kernel.Distances;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares graphs that were joined from those of merged rows, or built on several threads, with
 * graphs built from nothing on one thread.
 */
@Tag("all-compilers")
class GraphBuilderTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int ROWS = 2_500;
    private static final int THREAD_VECTORS = 2_048;
    private static final int HITS = 10;
    private static final int QUERIES = 300;
    private static final long MEMORY = 64L << 20;
    private static final IncludedRows EVERY =
            new IncludedRows() {
                @Override
                public boolean areAll() {
                    return true;
                }

                @Override
                public boolean has(int row) {
                    return true;
                }
            };

    private final LogFiles files = new MemoryLogFiles();
    private final Arena arena = Arena.ofShared();
    private final Random random = new Random(SEED);
    private int graphs;

    @AfterEach
    void close() {
        arena.close();
    }

    /** Graphs, and how many pairs of vectors their build compared. */
    private record Built(StoredGraph graph, long compared, int joined, int threads) {}

    private Built build(VectorSection section, GraphField field, long memory, GraphSources sources)
            throws IOException {
        return build(section, field, BuildResources.ofMemory(memory), sources);
    }

    private Built build(
            VectorSection section, GraphField field, BuildResources resources, GraphSources sources)
            throws IOException {
        String path = "p/" + graphs++;
        IndexedRun run = section.run();
        var builder =
                new GraphBuilder(files, section, VectorSection.FIELD, field, resources, sources);
        builder.write(path, run, () -> false);
        StoredGraph graph =
                StoredGraph.open(
                                files,
                                path,
                                run,
                                section,
                                new StoredGraph.Target(VectorSection.FIELD, field))
                        .orElseThrow();
        return new Built(graph, builder.compared(), builder.joined(), builder.threads());
    }

    /** Rows of several sections that become one; those of none are new. */
    private record Merged(VectorSection rows, List<VectorSection> before, List<int[]> newRows) {}

    /**
     * @param olds by row: the old section that it was in, or -1
     * @param left the rows that are not dead
     */
    private Merged merged(VectorSection all, int[] olds, IntPredicate left) {
        var numbers = new int[all.rowTotal()];
        int next = 0;
        for (int row = 0; row < numbers.length; row++) {
            numbers[row] = left.test(row) ? next++ : GraphSource.GONE;
        }
        var before = new ArrayList<VectorSection>();
        var newRows = new ArrayList<int[]>();
        for (int i = 0; i <= Arrays.stream(olds).max().orElseThrow(); i++) {
            int old = i;
            before.add(new VectorSection(arena, all, row -> olds[row] == old));
            var rows = new ArrayList<Integer>();
            for (int row = 0; row < numbers.length; row++) {
                if (olds[row] == old) {
                    rows.add(numbers[row]);
                }
            }
            newRows.add(rows.stream().mapToInt(Integer::intValue).toArray());
        }
        return new Merged(new VectorSection(arena, all, left), before, newRows);
    }

    private GraphSources sources(Merged merged, List<StoredGraph> old) {
        var recorder = new GraphSources.Recorder();
        for (int i = 0; i < old.size(); i++) {
            int[] newRows = merged.newRows().get(i);
            int[] recorded =
                    recorder.add(
                            SectionGraphs.NONE.with(VectorSection.FIELD, old.get(i)),
                            newRows.length);
            System.arraycopy(newRows, 0, recorded, 0, newRows.length);
        }
        return recorder.sources(Long.MAX_VALUE);
    }

    /** Joins the graphs of old sections; they are closed before. */
    private Built joined(Merged merged, GraphField field, long memory) throws IOException {
        var old = new ArrayList<StoredGraph>();
        for (VectorSection section : merged.before()) {
            old.add(build(section, field, memory, GraphSources.NONE).graph());
        }
        try (GraphSources sources = sources(merged, old)) {
            old.forEach(StoredGraph::close);
            return build(merged.rows(), field, memory, sources);
        }
    }

    /** Returns the shares of the nearest rows that each of the graphs finds. */
    private double[] recalls(VectorSection section, GraphField field, StoredGraph... graphs) {
        var hits = new int[graphs.length];
        int expected = 0;
        for (int i = 0; i < QUERIES; i++) {
            DenseTensor vector = section.vector();
            Distances distances =
                    Distances.of(field.metric(), section.tensorType().subspaceType(), vector);
            double[] byRow = byRow(section, distances);
            double[] sorted = byRow.clone();
            Arrays.sort(sorted);
            expected += HITS;
            for (int j = 0; j < graphs.length; j++) {
                var query =
                        new GraphQuery(distances, HITS, 0, GraphTuning.DEFAULT, new WorkMeter());
                FixedBitSet rows = graphs[j].search(query, null, EVERY).orElseThrow().toBits();
                int near = 0;
                for (int row = 0; row < byRow.length; row++) {
                    near += rows.get(row) && byRow[row] <= sorted[HITS - 1] ? 1 : 0;
                }
                hits[j] += Math.min(near, HITS);
            }
        }
        double[] recalls = new double[graphs.length];
        for (int j = 0; j < graphs.length; j++) {
            recalls[j] = (double) hits[j] / expected;
        }
        return recalls;
    }

    private static double[] byRow(VectorSection section, Distances distances) {
        double[] nearest = new double[section.rowTotal()];
        int row = 0;
        for (int i = 0; i < section.blockCount(); i++) {
            for (int j = 0; j < section.rowCount(i); j++) {
                nearest[row++] = section.distance(distances, i, j);
            }
        }
        return nearest;
    }

    /** Divides rows at random among old sections, and removes a share of them. */
    private Merged merged(VectorSection all, int count, double dead) {
        var olds = new int[all.rowTotal()];
        var left = new FixedBitSet(olds.length);
        for (int row = 0; row < olds.length; row++) {
            olds[row] = random.nextInt(count);
            if (random.nextDouble() >= dead) {
                left.set(row);
            }
        }
        return merged(all, olds, left::get);
    }

    private void assertAsGood(VectorSection rows, GraphField field, Built joined, Built rebuilt) {
        double[] recalls = recalls(rows, field, joined.graph(), rebuilt.graph());
        assertThat(recalls[0])
                .as("%s of %s, seed %d", field.metric(), field.type(), SEED)
                .isGreaterThan(recalls[1] - 0.01);
        joined.graph().close();
        rebuilt.graph().close();
    }

    @ParameterizedTest
    @CsvSource({
        "EUCLIDEAN, FLOAT, ONE, 4, 0, 0.6",
        "EUCLIDEAN, INT8, ONE, 16, 0.1, 0.8",
        "ANGULAR, BFLOAT16, ONE_OR_NONE, 4, 0.1, 0.8",
        "ANGULAR, BFLOAT16, SEVERAL, 4, 0, 0.6",
        "ANGULAR, FLOAT, SEVERAL, 3, 0.3, 0.95",
        "DOTPRODUCT, DOUBLE, ONE, 2, 0.2, 0.95",
    })
    void findsAsManyAsAGraphFromNothingWithFewerComparisons(
            DistanceMetric metric, CellType type, Kind kind, int count, double dead, double most)
            throws IOException {
        var all = new VectorSection(arena, type, kind, ROWS, SEED);
        var field = new GraphField(all.tensorType(), metric, 16, 100);
        Merged merged = merged(all, count, dead);

        Built joined = joined(merged, field, MEMORY);
        Built rebuilt = build(merged.rows(), field, MEMORY, GraphSources.NONE);

        assertThat(joined.joined()).isEqualTo(1);
        assertThat((double) joined.compared() / rebuilt.compared())
                .as("seed %d", SEED)
                .isLessThan(most);
        assertAsGood(merged.rows(), field, joined, rebuilt);
    }

    /** Each merge joins graphs that were joined before, and removes rows. */
    @Test
    void staysAsGoodAfterManyMerges() throws IOException {
        var all = new VectorSection(arena, CellType.FLOAT, Kind.ONE, ROWS, SEED);
        GraphField field = euclidean(all);
        VectorSection rows = new VectorSection(arena, all, row -> row % 16 == 0);
        StoredGraph graph = build(rows, field, MEMORY, GraphSources.NONE).graph();
        var numbers = new int[ROWS];
        Arrays.fill(numbers, GraphSource.GONE);
        for (int row = 0; row < ROWS; row += 16) {
            numbers[row] = row / 16;
        }
        for (int step = 1; step < 16; step++) {
            var next = new int[ROWS];
            Arrays.fill(next, GraphSource.GONE);
            int count = 0;
            var newRows = new int[rows.rowTotal()];
            var more = new ArrayList<Integer>();
            for (int row = 0; row < ROWS; row++) {
                boolean isNew = row % 16 == step;
                boolean isLeft =
                        isNew || (numbers[row] != GraphSource.GONE && random.nextInt(50) > 0);
                if (isLeft) {
                    next[row] = count++;
                }
                if (isNew) {
                    more.add(next[row]);
                } else if (numbers[row] != GraphSource.GONE) {
                    newRows[numbers[row]] = next[row];
                }
            }
            int added = step;
            var addition = new VectorSection(arena, all, row -> row % 16 == added);
            var after = new VectorSection(arena, all, row -> next[row] != GraphSource.GONE);
            StoredGraph other = build(addition, field, MEMORY, GraphSources.NONE).graph();
            var merged =
                    new Merged(
                            after,
                            List.of(rows, addition),
                            List.of(newRows, more.stream().mapToInt(Integer::intValue).toArray()));
            try (GraphSources sources = sources(merged, List.of(graph, other))) {
                Built joined = build(after, field, MEMORY, sources);
                assertThat(joined.joined()).isEqualTo(1);
                graph.close();
                other.close();
                graph = joined.graph();
            }
            rows = after;
            numbers = next;
        }

        Built rebuilt = build(rows, field, MEMORY, GraphSources.NONE);
        assertAsGood(rows, field, new Built(graph, 0, 1, 1), rebuilt);
    }

    private static GraphField euclidean(VectorSection section) {
        return new GraphField(section.tensorType(), DistanceMetric.EUCLIDEAN, 16, 100);
    }

    /** If memory is short, vectors of a row may be in two of the old graphs. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void joinsDividedGraphs(Kind kind) throws IOException {
        var all = new VectorSection(arena, CellType.FLOAT, kind, ROWS, SEED);
        GraphField field = euclidean(all);
        Merged merged = merged(all, 2, 0);

        Built joined = joined(merged, field, 1);
        Built rebuilt = build(merged.rows(), field, 1, GraphSources.NONE);

        assertThat(joined.graph().graphCount()).isGreaterThan(1);
        assertAsGood(merged.rows(), field, joined, rebuilt);
    }

    @Test
    void rowsOfNoOldSectionAreInserted() throws IOException {
        var all = new VectorSection(arena, CellType.FLOAT, Kind.SEVERAL, ROWS, SEED);
        var olds = new int[ROWS];
        Arrays.setAll(olds, row -> row % 3 - 1);
        Merged merged = merged(all, olds, _ -> true);

        Built joined = joined(merged, euclidean(all), MEMORY);

        assertThat(joined.joined()).isEqualTo(1);
        assertThat(joined.graph().vectorCount())
                .isEqualTo(all.vectors.stream().mapToInt(List::size).sum());
        assertAsGood(
                merged.rows(),
                euclidean(all),
                joined,
                build(merged.rows(), euclidean(all), MEMORY, GraphSources.NONE));
    }

    @Test
    void graphsOfOtherSettingsAreNotUsed() throws IOException {
        var all = new VectorSection(arena, CellType.FLOAT, Kind.ONE, 500, SEED);
        Merged merged = merged(all, 2, 0);
        var old = new ArrayList<StoredGraph>();
        var other = new GraphField(all.tensorType(), DistanceMetric.EUCLIDEAN, 16, 99);
        for (VectorSection section : merged.before()) {
            old.add(build(section, other, MEMORY, GraphSources.NONE).graph());
        }

        try (GraphSources sources = sources(merged, old)) {
            Built built = build(merged.rows(), euclidean(all), MEMORY, sources);
            Built rebuilt = build(merged.rows(), euclidean(all), MEMORY, GraphSources.NONE);
            assertThat(built.joined()).isZero();
            assertThat(built.compared()).isEqualTo(rebuilt.compared());
            built.graph().close();
            rebuilt.graph().close();
        }
        old.forEach(StoredGraph::close);
    }

    @Test
    void dropsGraphsThatLostMostRows() throws IOException {
        var all = new VectorSection(arena, CellType.FLOAT, Kind.ONE, 500, SEED);
        Merged merged = merged(all, 2, 0.6);

        assertThat(joined(merged, euclidean(all), MEMORY).joined()).isZero();
    }

    @Test
    void graphsWithFewOfTheVectorsAreNotUsed() throws IOException {
        var all = new VectorSection(arena, CellType.FLOAT, Kind.ONE, 500, SEED);
        var olds = new int[500];
        Arrays.setAll(olds, row -> row % 5 == 0 ? 0 : -1);

        assertThat(joined(merged(all, olds, _ -> true), euclidean(all), MEMORY).joined()).isZero();
    }

    @Test
    void dropsGraphsOfTooManyRows() throws IOException {
        var all = new VectorSection(arena, CellType.FLOAT, Kind.ONE, 500, SEED);
        StoredGraph graph = build(all, euclidean(all), MEMORY, GraphSources.NONE).graph();
        var recorder = new GraphSources.Recorder();
        int[] newRows = recorder.add(SectionGraphs.NONE.with(VectorSection.FIELD, graph), 500);
        Arrays.setAll(newRows, row -> row);

        assertThat(recorder.sources(499).rowCount()).isZero();
        try (GraphSources sources = recorder.sources(500)) {
            assertThat(sources.rowCount()).isEqualTo(500);
        }
        graph.close();
    }

    @Test
    void severalThreadsFindAsManyAsOne() throws IOException {
        var all = new VectorSection(arena, CellType.FLOAT, Kind.ONE, 3 * THREAD_VECTORS, SEED);
        var resources = new BuildResources(new BuildMemory(MEMORY), new BuildThreads(9));

        Built built = build(all, euclidean(all), resources, GraphSources.NONE);

        assertThat(built.threads()).isEqualTo(3);
        assertThat(resources.threads().take(10)).isEqualTo(9);
        Built rebuilt = build(all, euclidean(all), MEMORY, GraphSources.NONE);
        assertThat(rebuilt.threads()).isEqualTo(1);
        assertAsGood(all, euclidean(all), built, rebuilt);
    }

    @Test
    void severalThreadsEndWhenTheNodeCloses() {
        var all = new VectorSection(arena, CellType.FLOAT, Kind.ONE, 2 * THREAD_VECTORS, SEED);
        var resources = new BuildResources(new BuildMemory(MEMORY), new BuildThreads(1));
        var asked = new AtomicInteger();
        var builder =
                new GraphBuilder(
                        files,
                        all,
                        VectorSection.FIELD,
                        euclidean(all),
                        resources,
                        GraphSources.NONE);

        assertThatThrownBy(() ->
                        builder.write("p/closing", all.run(), () -> asked.incrementAndGet() > 500))
                .isInstanceOf(InterruptedIOException.class);
        assertThat(resources.threads().take(2)).isEqualTo(1);
    }

    @Test
    void fewVectorsAreInsertedOnOneThread() throws IOException {
        var all = new VectorSection(arena, CellType.FLOAT, Kind.ONE, 2 * THREAD_VECTORS - 1, SEED);
        var resources = new BuildResources(new BuildMemory(MEMORY), new BuildThreads(9));

        Built built = build(all, euclidean(all), resources, GraphSources.NONE);

        assertThat(built.threads()).isEqualTo(1);
        built.graph().close();
    }

    @Test
    void theSameGraphsGiveTheSameJoinedGraph() throws IOException {
        var all = new VectorSection(arena, CellType.FLOAT, Kind.ONE, 1_000, SEED);
        Merged merged = merged(all, 3, 0.2);

        joined(merged, euclidean(all), MEMORY).graph().close();
        byte[] once = lastFile();
        joined(merged, euclidean(all), MEMORY).graph().close();

        assertThat(lastFile()).isEqualTo(once);
    }

    private byte[] lastFile() throws IOException {
        try (LogFiles.LogFile file = files.open("p/" + (graphs - 1))) {
            var bytes = ByteBuffer.allocate((int) file.size());
            file.read(bytes, 0);
            return bytes.array();
        }
    }
}
