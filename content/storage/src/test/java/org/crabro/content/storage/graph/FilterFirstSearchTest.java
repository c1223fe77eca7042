package org.crabro.content.storage.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.util.FixedBitSet;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.graph.VectorSection.Kind;
import org.crabro.content.storage.index.BuildResources;
import org.crabro.content.storage.index.RowSet;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.ranking.kernel.Distances;
import org.crabro.ranking.kernel.StoredVectors;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares the nearest of accepted rows by a graph with the nearest of all accepted rows. */
@Tag("all-compilers")
class FilterFirstSearchTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final String PATH = "p/graph";
    private static final int ROWS = 10_000;
    private static final int HITS = 10;
    private static final int ADDITIONAL = 20;
    private static final int QUERIES = 30;
    private static final Arena ARENA = Arena.ofShared();
    private static final VectorSection SECTION =
            new VectorSection(ARENA, CellType.FLOAT, Kind.ONE, ROWS, SEED);
    private static final StoredGraph GRAPH = built();
    private static final List<DenseTensor> VECTORS =
            Stream.generate(SECTION::vector).limit(QUERIES).toList();

    private static StoredGraph built() {
        var files = new MemoryLogFiles();
        var field = new GraphField(SECTION.tensorType(), DistanceMetric.EUCLIDEAN, 16, 100);
        try {
            new GraphBuilder(
                            files,
                            SECTION,
                            VectorSection.FIELD,
                            field,
                            BuildResources.ofMemory(64L << 20),
                            GraphSources.NONE)
                    .write(PATH, SECTION.run(), () -> false);
            return StoredGraph.open(
                            files,
                            PATH,
                            SECTION.run(),
                            SECTION,
                            new StoredGraph.Target(VectorSection.FIELD, field))
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @AfterAll
    static void close() {
        GRAPH.close();
        ARENA.close();
    }

    /** All rows. */
    private record EveryRow() implements IncludedRows {
        @Override
        public boolean areAll() {
            return true;
        }

        @Override
        public boolean has(int row) {
            return true;
        }
    }

    /** What searches found together: the share of the nearest rows, and the vectors visited. */
    private record Outcome(double recall, long visited) {}

    @ParameterizedTest
    @CsvSource({"0.1, 0.01", "0.1, 1", "0.01, 0.3", "0.01, 1"})
    void findsMostOfTheNearest(double share, double exploration) throws IOException {
        assertThat(search(accepted(share), exploration).recall())
                .as("seed %d", SEED)
                .isGreaterThan(0.9);
    }

    @ParameterizedTest
    @CsvSource({"0.1", "0.01", "0.001"})
    void findsMoreIfItExploresMore(double share) throws IOException {
        FixedBitSet accepted = accepted(share);
        Outcome two = search(accepted, 0);
        Outcome three = search(accepted, 0.3);

        assertThat(three.recall()).as("seed %d", SEED).isGreaterThanOrEqualTo(two.recall());
        assertThat(three.visited()).as("seed %d", SEED).isGreaterThan(two.visited());
        if (share < 0.05) {
            assertThat(three.recall()).as("seed %d", SEED).isGreaterThan(two.recall() + 0.3);
        }
    }

    @Test
    void findsMoreWithSlack() throws IOException {
        FixedBitSet accepted = accepted(0.1);
        Outcome without = search(accepted, 0, 0);
        Outcome with = search(accepted, 0, 0.5);

        assertThat(with.recall()).as("seed %d", SEED).isGreaterThanOrEqualTo(without.recall());
        assertThat(with.visited()).as("seed %d", SEED).isGreaterThan(without.visited());
    }

    @ParameterizedTest
    @CsvSource({"0.1, 0.01", "0.01, 0.01", "0.001, 0.01", "0.1, 1", "0.01, 1", "0.001, 1"})
    void leavesToTheComparisonOfAllWhatItMayMiss(double share, double exploration) {
        FixedBitSet accepted = accepted(share);
        int expected = 0;
        int hits = 0;
        for (int i = 0; i < QUERIES; i++) {
            GraphQuery query = query(i, exploration, 0, 0);
            Set<Integer> nearest = nearest(query.distances(), accepted);
            Optional<FixedBitSet> rows =
                    GRAPH.search(query, RowSet.ofBits(accepted), new EveryRow())
                            .map(RowSet::toBits);
            expected += nearest.size();
            hits += rows.map(some -> common(nearest, some)).orElse(nearest.size());
        }
        assertThat((double) hits / expected).as("seed %d", SEED).isGreaterThan(0.9);
    }

    private static FixedBitSet accepted(double share) {
        var random = new Random(SEED);
        var accepted = new FixedBitSet(ROWS);
        for (int row = 0; row < ROWS; row++) {
            if (random.nextDouble() < share) {
                accepted.set(row);
            }
        }
        return accepted;
    }

    private static GraphQuery query(int number, double exploration, double slack, int additional) {
        Distances distances =
                Distances.of(DistanceMetric.EUCLIDEAN, SECTION.tensorType(), VECTORS.get(number));
        return new GraphQuery(
                distances,
                HITS,
                additional,
                new GraphTuning(0, 1, 1, exploration, slack, 20),
                new WorkMeter());
    }

    /** Searches however long it takes. */
    private static Outcome search(FixedBitSet accepted, double exploration) throws IOException {
        return search(accepted, exploration, 0);
    }

    private static Outcome search(FixedBitSet accepted, double exploration, double slack)
            throws IOException {
        int expected = 0;
        int hits = 0;
        long visited = 0;
        GraphPart part = GRAPH.parts().getFirst();
        for (int i = 0; i < QUERIES; i++) {
            GraphQuery query = query(i, exploration, slack, ADDITIONAL);
            RowCollector collector =
                    GRAPH.collector(query, part, HITS + ADDITIONAL, Long.MAX_VALUE);
            GRAPH.filterFirst(query, part, accepted).run(collector);
            visited += collector.visitedCount();
            var rows = new FixedBitSet(ROWS);
            Arrays.stream(collector.nearest(HITS)).forEach(rows::set);
            Set<Integer> nearest = nearest(query.distances(), accepted);
            expected += nearest.size();
            hits += common(nearest, rows);
            rows.andNot(accepted);
            assertThat(rows.cardinality()).isZero();
        }
        return new Outcome((double) hits / expected, visited);
    }

    private static int common(Set<Integer> nearest, FixedBitSet rows) {
        return (int) nearest.stream().filter(rows::get).count();
    }

    private static Set<Integer> nearest(Distances distances, FixedBitSet accepted) {
        return IntStream.range(0, ROWS)
                .filter(accepted::get)
                .boxed()
                .sorted(Comparator.comparingDouble(row -> distance(distances, row)))
                .limit(HITS)
                .collect(Collectors.toSet());
    }

    private static double distance(Distances distances, int row) {
        int block = 0;
        int index = row;
        while (index >= SECTION.rowCount(block)) {
            index -= SECTION.rowCount(block++);
        }
        var dense =
                (Column.DenseTensors)
                        SECTION.block(block).column(VectorSection.FIELD).orElseThrow();
        return distances.select(StoredVectors.of(dense.cells()), index);
    }
}
