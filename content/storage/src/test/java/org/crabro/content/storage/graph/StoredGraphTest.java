package org.crabro.content.storage.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.lucene.util.FixedBitSet;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.graph.VectorSection.Kind;
import org.crabro.content.storage.index.BuildResources;
import org.crabro.content.storage.index.IndexedRun;
import org.crabro.content.storage.index.RowSet;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.ranking.kernel.Distances;
import org.crabro.tensor.CellType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the nearest rows by graphs with the nearest of all rows. */
@Tag("all-compilers")
class StoredGraphTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final String PATH = "p/graph";
    private static final int ROWS = 2_000;
    private static final int HITS = 10;
    private static final int ADDITIONAL = 60;
    private static final int QUERIES = 20;
    private static final long MEMORY = 64L << 20;

    private final LogFiles files = new MemoryLogFiles();
    private final Arena arena = Arena.ofShared();

    @AfterEach
    void close() {
        arena.close();
    }

    /** All rows, or those that a test includes. */
    private record Rows(boolean areAll, IntPredicate included) implements IncludedRows {
        static final Rows ALL = new Rows(true, _ -> true);

        @Override
        public boolean has(int row) {
            return included.test(row);
        }
    }

    private static Stream<Arguments> metricsAndCells() {
        return Stream.of(DistanceMetric.values())
                .filter(metric -> metric != DistanceMetric.GEODEGREES)
                .flatMap(metric ->
                        Stream.of(CellType.values())
                                .filter(type ->
                                        metric != DistanceMetric.HAMMING || type == CellType.INT8)
                                .map(type -> Arguments.of(metric, type)));
    }

    @ParameterizedTest
    @MethodSource("metricsAndCells")
    void findsMostOfTheNearest(DistanceMetric metric, CellType type) throws IOException {
        assertThat(recall(metric, type, Kind.ONE, null, Rows.ALL))
                .as("%s of %s, seed %d", metric, type, SEED)
                .isGreaterThan(0.9);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void findsRowsWithAnyNumberOfVectors(Kind kind) throws IOException {
        assertThat(recall(DistanceMetric.ANGULAR, CellType.BFLOAT16, kind, null, Rows.ALL))
                .as("seed %d", SEED)
                .isGreaterThan(0.9);
    }

    @ParameterizedTest
    @CsvSource({"0.9", "0.5"})
    void findsTheNearestThatFulfilConditions(double share) throws IOException {
        FixedBitSet accepted = accepted(share);

        assertThat(recall(DistanceMetric.ANGULAR, CellType.FLOAT, Kind.ONE, accepted, Rows.ALL))
                .as("seed %d", SEED)
                .isGreaterThan(0.9);
    }

    /** Below the threshold, the vectors of all accepted rows are compared. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void findsAllOfTheNearestOfFewRows(Kind kind) throws IOException {
        var accepted = new FixedBitSet(ROWS);
        for (int row = 0; row < ROWS; row += 52) {
            accepted.set(row);
        }
        assertThat(accepted.cardinality()).isBetween(2 * HITS + 17, ROWS / 50 - 1);

        assertThat(recall(DistanceMetric.EUCLIDEAN, CellType.FLOAT, kind, accepted, Rows.ALL))
                .as("seed %d", SEED)
                .isEqualTo(1);
    }

    /** Of the accepted rows, those as near as the last of the nearest, and no others. */
    @ParameterizedTest
    @CsvSource({"HAMMING, INT8", "EUCLIDEAN, FLOAT", "DOTPRODUCT, INT8", "ANGULAR, BFLOAT16"})
    void findsNoMoreThanTheNearestOfFewRows(DistanceMetric metric, CellType type)
            throws IOException {
        var section = new VectorSection(arena, type, Kind.ONE, ROWS, SEED);
        var accepted = new FixedBitSet(ROWS);
        for (int row = 0; row < ROWS; row += 52) {
            accepted.set(row);
        }
        try (StoredGraph graph =
                built(section, new GraphField(section.tensorType(), metric, 16, 100), MEMORY)) {
            for (int i = 0; i < QUERIES; i++) {
                Distances distances =
                        Distances.of(metric, section.tensorType().subspaceType(), section.vector());
                double[] rising =
                        accepted(accepted)
                                .mapToDouble(row -> distance(distances, section, row))
                                .sorted()
                                .toArray();
                double farthest = rising[HITS - 1];
                double tolerance = distances.lengthsTolerance() + 3 * Math.ulp((float) farthest);

                FixedBitSet nearest =
                        graph.search(query(distances), RowSet.ofBits(accepted), Rows.ALL)
                                .orElseThrow()
                                .toBits();

                for (int row : accepted(accepted).toArray()) {
                    double distance = distance(distances, section, row);
                    if (distance <= farthest || distance > farthest + tolerance) {
                        assertThat(nearest.get(row))
                                .as("query %d, row %d, seed %d", i, row, SEED)
                                .isEqualTo(distance <= farthest);
                    }
                }
            }
        }
    }

    private static IntStream accepted(FixedBitSet rows) {
        return IntStream.range(0, ROWS).filter(rows::get);
    }

    @ParameterizedTest
    @CsvSource({"0.9", "0.5", "0.15"})
    void findsNoDeadRow(double share) throws IOException {
        FixedBitSet live = accepted(share);
        var rows = new Rows(false, live::get);

        assertThat(recall(DistanceMetric.EUCLIDEAN, CellType.INT8, Kind.SEVERAL, null, rows))
                .as("seed %d", SEED)
                .isGreaterThan(0.9);
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

    /** Returns the share of the nearest rows that graphs found. No other row may be found. */
    private double recall(
            DistanceMetric metric,
            CellType type,
            Kind kind,
            @Nullable FixedBitSet accepted,
            IncludedRows live)
            throws IOException {
        var section = new VectorSection(arena, type, kind, ROWS, SEED);
        var field = new GraphField(section.tensorType(), metric, 16, 100);
        StoredGraph graph = built(section, field, MEMORY);
        int hits = 0;
        int expected = 0;
        for (int i = 0; i < QUERIES; i++) {
            Distances distances =
                    Distances.of(metric, section.tensorType().subspaceType(), section.vector());
            FixedBitSet rows =
                    graph.search(
                                    query(distances),
                                    accepted == null ? null : RowSet.ofBits(accepted),
                                    live)
                            .orElseThrow()
                            .toBits();
            List<Integer> nearest =
                    IntStream.range(0, ROWS)
                            .filter(row -> !section.vectors.get(row).isEmpty())
                            .filter(row -> (accepted == null || accepted.get(row)) && live.has(row))
                            .boxed()
                            .sorted(
                                    Comparator.comparingDouble(
                                            row -> distance(distances, section, row)))
                            .limit(HITS)
                            .toList();
            // Of equally near rows, any may be found.
            double farthest = distance(distances, section, nearest.getLast());
            int near = 0;
            for (int row = 0; row < ROWS; row++) {
                near += rows.get(row) && distance(distances, section, row) <= farthest ? 1 : 0;
            }
            hits += Math.min(near, nearest.size());
            expected += nearest.size();
            for (int row = 0; row < ROWS; row++) {
                if (rows.get(row)) {
                    assertThat(accepted == null || accepted.get(row)).isTrue();
                    assertThat(live.has(row)).isTrue();
                }
            }
        }
        graph.close();
        return (double) hits / expected;
    }

    private Set<Integer> nearest(VectorSection section, Distances distances, int count) {
        return IntStream.range(0, section.rowTotal())
                .boxed()
                .sorted(Comparator.comparingDouble(row -> distance(distances, section, row)))
                .limit(count)
                .collect(Collectors.toSet());
    }

    private static GraphQuery query(Distances distances) {
        return new GraphQuery(distances, HITS, ADDITIONAL, GraphTuning.DEFAULT, new WorkMeter());
    }

    private static double distance(Distances distances, VectorSection section, int row) {
        int block = 0;
        int index = row;
        while (index >= section.rowCount(block)) {
            index -= section.rowCount(block++);
        }
        return section.distance(distances, block, index);
    }

    private StoredGraph built(VectorSection section, GraphField field, long memory)
            throws IOException {
        files.delete(PATH);
        new GraphBuilder(
                        files,
                        section,
                        VectorSection.FIELD,
                        field,
                        BuildResources.ofMemory(memory),
                        GraphSources.NONE)
                .write(PATH, section.run(), () -> false);
        return opened(section, field).orElseThrow();
    }

    private Optional<StoredGraph> opened(VectorSection section, GraphField field)
            throws IOException {
        return StoredGraph.open(
                files,
                PATH,
                section.run(),
                section,
                new StoredGraph.Target(VectorSection.FIELD, field));
    }

    private static GraphField angular(VectorSection section) {
        return new GraphField(section.tensorType(), DistanceMetric.ANGULAR, 16, 100);
    }

    @Test
    void dividesVectorsAmongGraphsIfMemoryIsShort() throws IOException {
        var section = new VectorSection(arena, CellType.FLOAT, Kind.ONE, 2_500, SEED);
        GraphField field = angular(section);

        try (StoredGraph graph = built(section, field, 1)) {
            assertThat(graph.graphCount()).isEqualTo(3);
            assertThat(graph.vectorCount()).isEqualTo(2_500);
            Distances distances =
                    Distances.of(DistanceMetric.ANGULAR, section.tensorType(), section.vector());
            FixedBitSet nearest =
                    graph.search(query(distances), null, Rows.ALL).orElseThrow().toBits();
            assertThat(nearest.cardinality()).isEqualTo(3 * HITS);
        }
    }

    @Test
    void leavesFewRowsToTheComparisonOfAll() throws IOException {
        var section = new VectorSection(arena, CellType.FLOAT, Kind.ONE, ROWS, SEED);
        try (StoredGraph graph = built(section, angular(section), MEMORY)) {
            Distances distances =
                    Distances.of(DistanceMetric.ANGULAR, section.tensorType(), section.vector());
            var few = new FixedBitSet(ROWS);
            few.set(0, 19);
            var none = new Rows(false, row -> row < 19);

            assertThat(graph.search(query(distances), RowSet.ofBits(few), Rows.ALL)).isEmpty();
            assertThat(graph.search(query(distances), null, none)).isEmpty();
        }
    }

    @Test
    void testsConditionsAfterwardsAboveTheThreshold() throws IOException {
        var section = new VectorSection(arena, CellType.FLOAT, Kind.ONE, ROWS, SEED);
        try (StoredGraph graph = built(section, angular(section), MEMORY)) {
            Distances distances =
                    Distances.of(DistanceMetric.ANGULAR, section.tensorType(), section.vector());
            FixedBitSet accepted = accepted(0.5);
            var tuning = new GraphTuning(0.02, 0.3, 0.2, 0.01, 0, 20);
            var query = new GraphQuery(distances, HITS, 0, tuning, new WorkMeter());

            FixedBitSet nearest =
                    graph.search(query, RowSet.ofBits(accepted), Rows.ALL).orElseThrow().toBits();

            assertThat(nearest.cardinality()).isBetween(2 * HITS - 2, 2 * HITS + 2);
            int outside = nearest.cardinality();
            nearest.and(accepted);
            assertThat(nearest.cardinality()).isLessThan(outside);
        }
    }

    private static GraphQuery slack(Distances distances, int hits, double slack) {
        var tuning = new GraphTuning(0.02, 1, 0.2, 0.01, slack, 20);
        return new GraphQuery(distances, hits, 0, tuning, new WorkMeter());
    }

    @ParameterizedTest
    @EnumSource(DistanceMetric.class)
    void goesOnBehindTheFarthestRowWithSlack(DistanceMetric metric) {
        var section = new VectorSection(arena, CellType.FLOAT, Kind.ONE, 10, SEED);
        if (metric == DistanceMetric.GEODEGREES) {
            return;
        }
        Distances distances = Distances.of(metric, section.tensorType(), section.vector());
        double internal = distances.internal(0.5);
        float score = PartScorers.score(-internal);

        assertThat(slack(distances, 1, 0).slackened(score)).isEqualTo(score);
        assertThat(distances.distance(-slack(distances, 1, 0.5).slackened(score)))
                .isCloseTo(0.75, within(1e-4));
        assertThat(slack(distances, 1, 0.5).slackened(Float.NEGATIVE_INFINITY))
                .isEqualTo(Float.NEGATIVE_INFINITY);
    }

    @Test
    void findsMoreOfTheNearestWithSlack() throws IOException {
        var section = new VectorSection(arena, CellType.FLOAT, Kind.ONE, 5_000, SEED);
        GraphField field = new GraphField(section.tensorType(), DistanceMetric.ANGULAR, 4, 20);
        try (StoredGraph graph = built(section, field, MEMORY)) {
            long[] visited = new long[2];
            int[] common = new int[2];
            for (int i = 0; i < 20; i++) {
                Distances distances =
                        Distances.of(field.metric(), section.tensorType(), section.vector());
                Set<Integer> nearest = nearest(section, distances, 10);
                for (int with = 0; with < 2; with++) {
                    GraphQuery query = slack(distances, 10, with == 0 ? 0 : 0.3);
                    FixedBitSet results =
                            graph.search(query, null, Rows.ALL).orElseThrow().toBits();
                    common[with] += (int) nearest.stream().filter(results::get).count();
                    visited[with] += query.work().spent();
                    assertThat(results.cardinality()).isEqualTo(10);
                }
            }

            assertThat(common[1]).as("seed %d", SEED).isGreaterThan(common[0]);
            assertThat(visited[1]).as("seed %d", SEED).isGreaterThan(visited[0]);
        }
    }

    @Test
    void rejectsOtherRowsSettingsAndVersions() throws IOException {
        var section = new VectorSection(arena, CellType.FLOAT, Kind.ONE, ROWS, SEED);
        GraphField field = angular(section);
        built(section, field, MEMORY).close();

        var other = new GraphField(section.tensorType(), DistanceMetric.EUCLIDEAN, 16, 100);
        assertThat(opened(section, other)).isEmpty();
        assertThat(opened(section, new GraphField(section.tensorType(), field.metric(), 8, 100)))
                .isEmpty();
        IndexedRun run = section.run();
        var later =
                new IndexedRun(run.number(), run.byteCount(), 6, 0, run.rows(), run.fingerprint());
        assertThat(
                        StoredGraph.open(
                                files,
                                PATH,
                                later,
                                section,
                                new StoredGraph.Target(VectorSection.FIELD, field)))
                .isEmpty();
        write(ByteBuffer.wrap(new byte[] {2}), GraphFileLayout.VERSION_OFFSET);
        assertThatThrownBy(() -> opened(section, field))
                .hasMessage("p/graph has graphs of version 2, expected 1");
    }

    @Test
    void rejectsDamage() throws IOException {
        var section = new VectorSection(arena, CellType.FLOAT, Kind.ONE, ROWS, SEED);
        GraphField field = angular(section);
        built(section, field, MEMORY).close();
        write(ByteBuffer.wrap(new byte[] {77}), 5_000);

        assertThatThrownBy(() -> opened(section, field))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("p/graph at byte 16: expected crc");
        try (LogFiles.LogFile file = files.open(PATH)) {
            file.resize(11);
        }
        assertThatThrownBy(() -> opened(section, field))
                .hasMessage("p/graph at byte 0: expected graphs");
    }

    private void write(ByteBuffer bytes, long offset) throws IOException {
        try (LogFiles.LogFile file = files.open(PATH)) {
            file.write(bytes, offset);
        }
    }

    @Test
    void endsABuildWhenTheNodeCloses() {
        var section = new VectorSection(arena, CellType.FLOAT, Kind.ONE, ROWS, SEED);
        var builder =
                new GraphBuilder(
                        files,
                        section,
                        VectorSection.FIELD,
                        angular(section),
                        BuildResources.ofMemory(MEMORY),
                        GraphSources.NONE);

        assertThatThrownBy(() -> builder.write(PATH, section.run(), () -> true))
                .isInstanceOf(InterruptedIOException.class);
    }

    /** The same vectors give the same bytes; a change of the layout needs a new version. */
    @Test
    void writesTheSameBytes() throws IOException {
        var section = new VectorSection(arena, CellType.INT8, Kind.SEVERAL, 300, 2026);
        var field = new GraphField(section.tensorType(), DistanceMetric.HAMMING, 4, 20);
        built(section, field, MEMORY).close();

        try (LogFiles.LogFile file = files.open(PATH)) {
            var bytes = ByteBuffer.allocate((int) file.size());
            file.read(bytes, 0);
            var crc = new CRC32C();
            crc.update(bytes.flip());
            assertThat("%d %08x".formatted(bytes.limit(), (int) crc.getValue()))
                    .isEqualTo("22356 4a1341b2");
        }
    }

    @Test
    void aSectionWithoutVectorsHasNoGraphs() throws IOException {
        var section = new VectorSection(arena, CellType.FLOAT, Kind.SEVERAL, 0, SEED);
        try (StoredGraph graph = built(section, angular(section), MEMORY)) {
            assertThat(graph.graphCount()).isZero();
        }
        assertThat(files.list("p")).containsExactly("graph");
    }
}
