package org.crabro.ranking.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VectorPairsTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final List<Integer> SIZES = List.of(2, 3, 7, 8, 16, 17, 31, 64, 65, 384);
    private static final int ROWS = 5;

    @ParameterizedTest
    @EnumSource(CellType.class)
    void bothImplementationsAgreeWithDistances(CellType type) {
        var random = new Random(SEED);
        for (int size : SIZES) {
            for (DistanceMetric metric : DistanceMetric.values()) {
                if (metric != DistanceMetric.GEODEGREES || size == 2) {
                    compare(random, metric, type, size);
                }
            }
        }
    }

    private static void compare(Random random, DistanceMetric metric, CellType type, int size) {
        VectorPairs best = VectorPairs.of(metric, type, size);
        VectorPairs scalar = VectorPairs.of(new ScalarPairKernels(), metric, type, size);
        long width = (long) size * type.size();
        try (var arena = Arena.ofConfined()) {
            MemorySegment cells = arena.allocate(ROWS * width + 1);
            var values = new double[ROWS][size];
            for (int row = 0; row < ROWS; row++) {
                for (int i = 0; i < size; i++) {
                    double value =
                            type == CellType.INT8
                                    ? random.nextInt(-128, 128)
                                    : random.nextGaussian();
                    values[row][i] = type.narrow(value);
                    // At an offset that is no multiple of a cell.
                    Cells.write(cells, 1 + row * width + (long) i * type.size(), type, value);
                }
            }
            for (int one = 0; one < ROWS; one++) {
                var shape =
                        new TensorType(CellType.DOUBLE, List.of(new Dimension.Indexed("x", size)));
                var field = new TensorType(type, List.of(new Dimension.Indexed("x", size)));
                Distances distances =
                        Distances.of(metric, field, DenseTensor.of(shape, values[one]));
                for (int other = 0; other < ROWS; other++) {
                    double nearness = nearness(best, cells, 1 + one * width, 1 + other * width);
                    double expected = nearness(scalar, cells, 1 + one * width, 1 + other * width);
                    double distance =
                            distances.select(
                                    StoredVectors.of(cells.asSlice(1, ROWS * width)), other);
                    String what = "%s of %d %s, seed %d".formatted(metric, size, type, SEED);
                    double tolerance = 1e-4 * (1 + Math.abs(expected));
                    assertThat(nearness).as(what).isCloseTo(expected, within(tolerance));
                    assertThat(nearness + distance)
                            .as(what)
                            .isCloseTo(sum(metric, values[one]), within(2 * tolerance));
                }
            }
        }
    }

    private static double nearness(VectorPairs pairs, MemorySegment cells, long at, long otherAt) {
        double nearness = pairs.nearness(cells, at, cells, otherAt);
        return pairs.needsLengths()
                ? nearness * pairs.inverseLength(cells, at) * pairs.inverseLength(cells, otherAt)
                : nearness;
    }

    /** Returns the sum of nearness and internal distance. */
    private static double sum(DistanceMetric metric, double[] query) {
        return switch (metric) {
            case EUCLIDEAN, DOTPRODUCT, HAMMING, GEODEGREES -> 0;
            case ANGULAR -> 1;
            case PRENORMALIZED_ANGULAR -> {
                double squares = 0;
                for (double cell : query) {
                    squares += cell * cell;
                }
                yield squares;
            }
        };
    }
}
