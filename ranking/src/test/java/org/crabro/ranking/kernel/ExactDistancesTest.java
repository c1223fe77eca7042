package org.crabro.ranking.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Distances that floats alone would get wrong, from each twin, with and without kept lengths. */
class ExactDistancesTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    @ParameterizedTest
    @CsvSource({
        "DOUBLE, 1",
        "DOUBLE, 3",
        "DOUBLE, 96",
        "DOUBLE, 384",
        "FLOAT, 1",
        "FLOAT, 3",
        "FLOAT, 96",
        "FLOAT, 384",
        "BFLOAT16, 3",
        "BFLOAT16, 96",
        "BFLOAT16, 384",
        "INT8, 3",
        "INT8, 96",
        "INT8, 384",
    })
    void vectorIsAtNoAngleToItself(CellType type, int size) {
        var random = new Random(SEED);
        for (int i = 0; i < 20; i++) {
            double[] vector = random.doubles(size, -100, 100).toArray();
            for (Distances distances : twins(DistanceMetric.ANGULAR, type, vector)) {
                for (double internal : ofOne(distances, type, vector)) {
                    assertThat(internal).as("seed %d", SEED).isZero();
                }
                double[] opposite = Arrays.stream(vector).map(cell -> -cell).toArray();
                for (double internal : ofOne(distances, type, opposite)) {
                    assertThat(distances.distance(internal)).isEqualTo(Math.PI);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0.0001", "0.0003", "0.001", "0.003", "0.01", "0.03", "0.1", "1", "3", "3.14"})
    void anglesAreRightToFiveDigits(double angle) {
        var random = new Random(SEED);
        int size = 384;
        for (int i = 0; i < 20; i++) {
            double[] one = random.doubles(size, -1, 1).toArray();
            double[] other = random.doubles(size, -1, 1).toArray();
            double part = dot(one, other) / dot(one, one);
            double[] turned = new double[size];
            double[] apart = new double[size];
            for (int cell = 0; cell < size; cell++) {
                apart[cell] = other[cell] - part * one[cell];
            }
            double scale = Math.tan(angle) * Math.sqrt(dot(one, one) / dot(apart, apart));
            double sign = angle > Math.PI / 2 ? -1 : 1;
            for (int cell = 0; cell < size; cell++) {
                turned[cell] = (float) (sign * (one[cell] + scale * apart[cell]));
            }
            double[] query = Arrays.stream(one).map(cell -> (float) cell).toArray();
            double expected = angle(query, turned);
            for (Distances distances : twins(DistanceMetric.ANGULAR, CellType.FLOAT, query)) {
                for (double internal : ofOne(distances, CellType.FLOAT, turned)) {
                    assertThat(distances.distance(internal))
                            .as("seed %d", SEED)
                            .isCloseTo(expected, within(1e-5));
                }
            }
        }
    }

    /** Floats have no room for the squares of these, or for their products. */
    @ParameterizedTest
    @CsvSource({
        "ANGULAR, 1 0 0, 2e19 2e19 0, 0.7853981633974483",
        "ANGULAR, 1 0 0, 1e20 1e20 0, 0.7853981633974483",
        "ANGULAR, 1 0 0, 1e-22 1e-22 0, 0.7853981633974483",
        "ANGULAR, 1 0 0, 1e-30 1e-30 0, 0.7853981633974483",
        "ANGULAR, 1e20 0 0, 1e19 1e19 0, 0.7853981633974483",
        "ANGULAR, 1e20 0 0, 1e20 1e20 0, 0.7853981633974483",
        "ANGULAR, 1e-30 0 0, 1e-30 1e-30 0, 0.7853981633974483",
        "ANGULAR, 0 0 0, 1e-30 1e-30 0, 1.5707963267948966",
        "ANGULAR, 1e-30 0 0, 0 0 0, 1.5707963267948966",
        "EUCLIDEAN, 1 0 0, 2e19 2e19 0, 2.8284271247461903e19",
        "EUCLIDEAN, 1e20 0 0, 2e20 0 0, 1e20",
        "DOTPRODUCT, 1e20 0 0, 2e20 0 0, -2e40",
        "PRENORMALIZED_ANGULAR, 1e20 0 0, 1e20 0 0, 0",
    })
    void floatsThatAreTooLargeOrSmallAreCompared(
            DistanceMetric metric, String query, String stored, double expected) {
        for (CellType type : List.of(CellType.FLOAT, CellType.BFLOAT16, CellType.DOUBLE)) {
            for (Distances distances : twins(metric, type, numbers(query))) {
                for (double internal : ofOne(distances, type, numbers(stored))) {
                    // Cells of bfloat16 have eight bits.
                    double tolerance = type == CellType.BFLOAT16 ? 0x1p-7 : 1e-5;
                    assertThat(distances.distance(internal))
                            .as("%s", type)
                            .isCloseTo(
                                    expected, within(tolerance * Math.max(1, Math.abs(expected))));
                }
            }
        }
    }

    /** Returns the same of each implementation that there is here. */
    private static List<Distances> twins(DistanceMetric metric, CellType type, double[] query) {
        var kernels = new ArrayList<>(List.of(new ScalarRowKernels(), new VectorRowKernels()));
        if (MachineCode.HERE.isPresent()) {
            kernels.add(new MachineRowKernels());
        }
        DenseTensor vector = DenseTensor.of(type(CellType.DOUBLE, query.length), query);
        return kernels.stream()
                .map(each -> Distances.of(each, metric, type(type, query.length), vector))
                .toList();
    }

    /** Returns the internal distance of one row, computed in each possible way. */
    private static double[] ofOne(Distances distances, CellType type, double[] row) {
        try (var arena = Arena.ofConfined()) {
            int rows = 3;
            MemorySegment cells = arena.allocate((long) rows * row.length * type.size());
            for (int i = 0; i < rows * row.length; i++) {
                Cells.write(cells, (long) i * type.size(), type, row[i % row.length]);
            }
            var bare = StoredVectors.of(cells);
            MemorySegment lengths = Cells.inverseLengths(arena, type, cells, rows);
            var withLengths = new StoredVectors(cells, Optional.of(lengths));
            double[] results = new double[4];
            double[] some = new double[rows];
            distances.run(bare, 0, rows, some);
            results[0] = some[2];
            distances.run(withLengths, 0, rows, some);
            results[1] = some[2];
            distances.select(bare, new int[] {1}, 1, some);
            results[2] = some[0];
            distances.select(withLengths, new int[] {1}, 1, some);
            results[3] = some[0];
            return results;
        }
    }

    private static double angle(double[] a, double[] b) {
        double scale = Math.sqrt(dot(a, a) / dot(b, b));
        double apart = 0;
        double along = 0;
        for (int i = 0; i < a.length; i++) {
            apart += Math.pow(a[i] - scale * b[i], 2);
            along += Math.pow(a[i] + scale * b[i], 2);
        }
        return 2 * Math.atan2(Math.sqrt(apart), Math.sqrt(along));
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    private static TensorType type(CellType type, int size) {
        return new TensorType(type, List.of(new Dimension.Indexed("x", size)));
    }

    private static double[] numbers(String text) {
        return Arrays.stream(text.split(" ")).mapToDouble(Double::parseDouble).toArray();
    }
}
