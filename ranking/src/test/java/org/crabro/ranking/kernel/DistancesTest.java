package org.crabro.ranking.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DistancesTest {
    /** From the definitions: query, stored vector, distance and closeness as people see them. */
    @ParameterizedTest
    @CsvSource({
        "euclidean, FLOAT, 1 2, 4 6, 5, 0.16666666666666666",
        "euclidean, INT8, 1 2, 4 6, 5, 0.16666666666666666",
        "angular, FLOAT, 1 0, 0 3, 1.5707963267948966, 0.38898452964834274",
        "angular, BFLOAT16, 1 0, 2 0, 0, 1",
        "angular, FLOAT, 1 0, -2 0, 3.141592653589793, 0.24145300700522387",
        "angular, FLOAT, 0 0, 1 0, 1.5707963267948966, 0.38898452964834274",
        "dotproduct, FLOAT, 1 2, 3 4, -11, 11",
        "dotproduct, INT8, 1.9 2, 3 4, -11, 11",
        "euclidean, INT8, 300 -1e3, 44 24, 0, 1",
        "prenormalized-angular, DOUBLE, 0.6 0.8, 0.8 0.6, 0.04, 0.9615384615384616",
        "prenormalized-angular, DOUBLE, 3 4, 4 3, 0.04, 0.9615384615384616",
        "innerproduct, DOUBLE, 1 0, -1 0, 2, 0.3333333333333333",
        "hamming, INT8, 1 -1, 0 0, 9, 0.1",
        "hamming, FLOAT, 1 2, 1 3, 1, 0.5",
        "geodegrees, DOUBLE, 0 0, 0 180, 20015.114442035923, 0.00004995975",
        "geodegrees, FLOAT, 52.5 13.25, 52.5 13.25, 0, 1",
        "geodegrees, DOUBLE, 0 0, 0 1, 111.19508, 0.00891305",
    })
    void comparesByMetric(
            String metric,
            CellType type,
            String query,
            String stored,
            double distance,
            double close) {
        try (var arena = Arena.ofConfined()) {
            Distances distances =
                    Distances.of(
                            DistanceMetric.named(metric).orElseThrow(),
                            type(type, 2),
                            DenseTensor.of(type(CellType.DOUBLE, 2), numbers(query)));
            double[] internal = new double[1];

            distances.run(StoredVectors.of(column(arena, type, numbers(stored))), 0, 1, internal);

            assertThat(distances.distance(internal[0])).isCloseTo(distance, within(1e-5));
            assertThat(distances.closeness(internal[0])).isCloseTo(close, within(1e-8));
        }
    }

    @ParameterizedTest
    @EnumSource(DistanceMetric.class)
    void convertsThresholdsBack(DistanceMetric metric) {
        double s = 2.5;
        for (double distance : new double[] {0.01, 0.5, 1, 1.9}) {
            assertThat(metric.distance(metric.internal(distance, s), s))
                    .isCloseTo(distance, within(1e-9));
        }
    }

    @Test
    void cutsThresholdsToWhatThereIs() {
        assertThat(DistanceMetric.ANGULAR.internal(4, 1)).isCloseTo(2, within(1e-12));
        assertThat(DistanceMetric.ANGULAR.internal(-1, 1)).isEqualTo(0);
        assertThat(DistanceMetric.GEODEGREES.internal(1e9, 1)).isCloseTo(1, within(1e-12));
    }

    @ParameterizedTest
    @EnumSource(DistanceMetric.class)
    void selectsTheRowsThatARunHas(DistanceMetric metric) {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        int length = metric == DistanceMetric.GEODEGREES ? 2 : 67;
        int rows = 40;
        try (var arena = Arena.ofConfined()) {
            double[] values = random.doubles((long) rows * length, -90, 90).toArray();
            StoredVectors column = vectors(arena, CellType.BFLOAT16, values);
            Distances distances =
                    Distances.of(
                            metric,
                            type(CellType.BFLOAT16, length),
                            DenseTensor.of(
                                    type(CellType.DOUBLE, length),
                                    random.doubles(length, -90, 90).toArray()));
            double[] run = new double[rows];
            distances.run(column, 0, rows, run);
            double[] later = new double[10];
            distances.run(column, 5, 10, later);
            int[] chosen = {39, 0, 7, 7, 20};
            double[] selected = new double[6];
            distances.select(column, chosen, 5, selected);

            for (int i = 0; i < 10; i++) {
                assertThat(later[i]).isEqualTo(run[5 + i]);
            }
            for (int i = 0; i < 5; i++) {
                assertThat(selected[i]).isEqualTo(run[chosen[i]]);
            }
            assertThat(selected[5]).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = CellType.class,
            names = {"FLOAT", "BFLOAT16", "INT8"})
    void storedLengthsGiveTheSameCosines(CellType type) {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        int length = 96;
        int rows = 700;
        try (var arena = Arena.ofConfined()) {
            double[] values = random.doubles((long) rows * length, -90, 90).toArray();
            Arrays.fill(values, 3 * length, 4 * length, 0);
            MemorySegment cells = column(arena, type, values);
            StoredVectors withLengths =
                    new StoredVectors(
                            cells, Optional.of(Cells.inverseLengths(arena, type, cells, rows)));
            DenseTensor query =
                    DenseTensor.of(
                            type(CellType.DOUBLE, length),
                            random.doubles(length, -90, 90).toArray());
            for (RowKernels kernels : List.of(new ScalarRowKernels(), new VectorRowKernels())) {
                Distances distances =
                        Distances.of(kernels, DistanceMetric.ANGULAR, type(type, length), query);
                double[] computed = new double[rows];
                distances.run(StoredVectors.of(cells), 0, rows, computed);

                double[] run = new double[rows];
                distances.run(withLengths, 0, rows, run);
                double[] later = new double[10];
                distances.run(withLengths, 5, 10, later);
                int[] chosen = {699, 0, 7, 7, 3};
                double[] selected = new double[5];
                distances.select(withLengths, chosen, 5, selected);

                for (int i = 0; i < rows; i++) {
                    assertThat(run[i])
                            .as("row %d, seed %d", i, seed)
                            .isCloseTo(computed[i], within((length + 4) * 0x1p-22));
                }
                assertThat(run[3]).isEqualTo(1);
                assertThat(later).containsExactly(Arrays.copyOfRange(run, 5, 15));
                for (int i = 0; i < chosen.length; i++) {
                    assertThat(selected[i]).isEqualTo(run[chosen[i]]);
                }
            }
        }
    }

    /** Rows of every length that a float has, some of them the query or near to it. */
    @ParameterizedTest
    @EnumSource(DistanceMetric.class)
    void runsWithinABoundFindWhatRunsFind(DistanceMetric metric) {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        for (CellType type : CellType.values()) {
            int length = metric == DistanceMetric.GEODEGREES ? 2 : 96;
            for (int round = 0; round < 40; round++) {
                int rows = 1 + random.nextInt(900);
                double[] query = numbers(random, length, magnitude(type, random));
                double[] values = new double[rows * length];
                for (int row = 0; row < rows; row++) {
                    double[] vector =
                            switch (random.nextInt(8)) {
                                case 0 -> new double[length];
                                case 1 -> query.clone();
                                case 2 -> near(query, random);
                                case 3 -> numbers(random, length, magnitude(type, random));
                                default -> numbers(random, length, Math.abs(query[0]));
                            };
                    if (random.nextInt(50) == 0 && type != CellType.INT8) {
                        vector[random.nextInt(length)] =
                                random.nextBoolean() ? Double.NaN : Double.NEGATIVE_INFINITY;
                    }
                    System.arraycopy(vector, 0, values, row * length, length);
                }
                try (var arena = Arena.ofConfined()) {
                    MemorySegment cells = column(arena, type, values);
                    MemorySegment lengths = Cells.inverseLengths(arena, type, cells, rows);
                    DenseTensor tensor = DenseTensor.of(type(CellType.DOUBLE, length), query);
                    var vectors = new StoredVectors(cells, Optional.of(lengths));
                    for (RowKernels kernels :
                            List.of(new ScalarRowKernels(), new VectorRowKernels())) {
                        Distances distances =
                                Distances.of(kernels, metric, type(type, length), tensor);
                        double[] all = new double[rows];
                        distances.run(vectors, 0, rows, all);
                        double[] bounds = {
                            all[random.nextInt(rows)], all[random.nextInt(rows)] * 1.0001, 0, -1
                        };
                        for (double bound : bounds) {
                            int from = random.nextInt(rows);
                            double[] within = new double[rows - from];
                            distances.runWithin(vectors, from, rows - from, bound, within);

                            for (int i = 0; i < within.length; i++) {
                                double expected = all[from + i];
                                String what =
                                        "%s of %s, %s, row %d, within %s, round %d, seed %d"
                                                .formatted(
                                                        metric,
                                                        type,
                                                        kernels.getClass().getSimpleName(),
                                                        from + i,
                                                        bound,
                                                        round,
                                                        seed);
                                if (expected <= bound) {
                                    assertThat(within[i]).as(what).isEqualTo(expected);
                                } else {
                                    assertThat(within[i] <= bound).as(what).isFalse();
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private static double magnitude(CellType type, Random random) {
        return switch (type) {
            case INT8 -> 1 + random.nextInt(300);
            case DOUBLE, FLOAT, BFLOAT16 -> Math.pow(10, random.nextInt(-45, 39));
        };
    }

    private static double[] numbers(Random random, int count, double magnitude) {
        return random.doubles(count).map(number -> (number - 0.5) * magnitude).toArray();
    }

    private static double[] near(double[] query, Random random) {
        return Arrays.stream(query)
                .map(cell -> cell * (1 + random.nextGaussian() / 1_000))
                .toArray();
    }

    @Test
    void checksItsBounds() {
        try (var arena = Arena.ofConfined()) {
            StoredVectors column = vectors(arena, CellType.FLOAT, new double[] {1, 2, 3, 4});
            Distances distances =
                    Distances.of(
                            DistanceMetric.EUCLIDEAN,
                            type(CellType.FLOAT, 2),
                            DenseTensor.of(type(CellType.FLOAT, 2), new double[2]));

            distances.run(column, 0, 2, new double[2]);
            rejects(() -> distances.run(column, 0, 2, new double[1]));
            rejects(() -> distances.run(column, 1, 2, new double[2]));
            rejects(() -> distances.run(column, -1, 1, new double[2]));
            rejects(() -> distances.select(column, new int[] {2}, 1, new double[1]));
            rejects(() -> distances.select(column, new int[] {-1}, 1, new double[1]));
            rejects(() -> distances.select(column, new int[] {0}, 2, new double[2]));
        }
    }

    @Test
    void rejectsWhatCannotBeCompared() {
        DenseTensor three = DenseTensor.of(type(CellType.FLOAT, 3), new double[3]);

        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> Distances.of(DistanceMetric.ANGULAR, type(CellType.FLOAT, 4), three))
                .withMessageContaining("tensor<float>(x[3])")
                .withMessageContaining("tensor<float>(x[4])");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        Distances.of(DistanceMetric.GEODEGREES, type(CellType.FLOAT, 3), three))
                .withMessageContaining("latitude and longitude");
    }

    private static void rejects(Runnable call) {
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(call::run);
    }

    private static TensorType type(CellType type, int length) {
        return new TensorType(type, List.of(new Dimension.Indexed("x", length)));
    }

    private static double[] numbers(String text) {
        return Arrays.stream(text.split(" ")).mapToDouble(Double::parseDouble).toArray();
    }

    private static StoredVectors vectors(Arena arena, CellType type, double[] values) {
        return StoredVectors.of(column(arena, type, values));
    }

    private static MemorySegment column(Arena arena, CellType type, double[] values) {
        MemorySegment column = arena.allocate((long) values.length * type.size());
        for (int i = 0; i < values.length; i++) {
            Cells.write(column, (long) i * type.size(), type, values[i]);
        }
        return column;
    }
}
