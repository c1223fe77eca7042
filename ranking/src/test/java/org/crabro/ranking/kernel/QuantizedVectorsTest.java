package org.crabro.ranking.kernel;

import static org.assertj.core.api.Assertions.assertThat;

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

class QuantizedVectorsTest {
    private final Random random = new Random(SEED);

    private static final long SEED = Long.getLong("crabro.seed", 2026);

    private static final List<RowKernels> KERNELS =
            List.of(new ScalarRowKernels(), new VectorRowKernels(), RowKernels.best());

    @ParameterizedTest
    @CsvSource({
        "tensor<float>(x[64]), true",
        "tensor<bfloat16>(x[384]), true",
        "tensor<float>(x[63]), false",
        "tensor<int8>(x[384]), false",
        "tensor<double>(x[384]), false",
        "'tensor<float>(x[8],y[64])', false",
        "'tensor<float>(a{},x[64])', false",
    })
    void areWorthItForLongVectorsOfWideCells(String type, boolean expected) {
        assertThat(QuantizedVectors.areWorthIt(TensorType.parse(type))).isEqualTo(expected);
    }

    @Test
    void cellsAreRoundedEvenlyBetweenTheSmallestAndTheLargest() {
        var quantizer = new VectorQuantizer(CellType.FLOAT, 5);

        quantize(quantizer, 131, -59.5f, 4, 5.25f, -123);

        assertThat(quantizer.cells()).hasSize(64);
        assertThat(Arrays.copyOf(quantizer.cells(), 6)).containsExactly(127, -63, 0, 1, -127, 0);
        assertThat(quantizer.scale()).isEqualTo(1);
        double error = Math.sqrt(0.25 + 0.0625);
        assertThat(quantizer.error()).isEqualTo(Math.nextUp((float) error));
        double mean = (127 - 63 + 1 - 127) / 5.0;
        double squares = 127 * 127 + 63 * 63 + 1 + 127 * 127;
        double spread = Math.sqrt(squares - 5 * mean * mean);
        assertThat(quantizer.spread()).isEqualTo(Math.nextUp((float) spread));
        assertThat(quantizer.sum()).isEqualTo(-42.25f);
    }

    @Test
    void cellsThatAreNearToEachOtherAndFarFromZeroAreToldApart() {
        var quantizer = new VectorQuantizer(CellType.FLOAT, 3);

        quantize(quantizer, 1_000_000, 1_000_000.06f, 1_000_000.06f);

        assertThat(Arrays.copyOf(quantizer.cells(), 4)).containsExactly(0, 127, 127, 0);
        assertThat(quantizer.scale()).isEqualTo(0.0625f / 127);
        assertThat(quantizer.error()).isLessThan(1e-6f);
        assertThat(quantizer.sum()).isEqualTo(3_000_000);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "3, -4, 0.2",
        "1.7763568394002505e-15, 0, 562949953421312",
        "8e-16, 0, NaN",
        "1.2e15, 0, NaN",
        "NaN, 0, NaN",
        "Infinity, 1, NaN",
    })
    void lengthsAreToldThatKernelsKnowAsWell(float one, float other, Float inverse) {
        var quantizer = new VectorQuantizer(CellType.FLOAT, 2);

        quantize(quantizer, one, other);

        assertThat(quantizer.inverseLength()).isEqualTo(inverse);
    }

    private static void quantize(VectorQuantizer quantizer, float... vector) {
        quantizer.quantize(MemorySegment.ofArray(vector), 0);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "2.8e-45, 1.26e-44",
        "1.2e15, Infinity",
        "NaN, Infinity",
        "-Infinity, Infinity",
    })
    void whatCannotBeRoundedIsNotTold(float cell, float error) {
        var quantizer = new VectorQuantizer(CellType.FLOAT, 64);
        float[] vector = new float[64];
        vector[7] = cell;

        quantize(quantizer, vector);

        assertThat(quantizer.error()).isEqualTo(error);
        assertThat(quantizer.scale()).isZero();
        assertThat(quantizer.spread()).isZero();
        assertThat(quantizer.cells()).containsOnly(0);
    }

    /** Rows of every magnitude that a float has, some of them the query or near to it. */
    @ParameterizedTest
    @EnumSource(
            value = DistanceMetric.class,
            names = {"EUCLIDEAN", "ANGULAR", "DOTPRODUCT", "PRENORMALIZED_ANGULAR"})
    void nothingIsNearerThanTold(DistanceMetric metric) {
        int told = 0;
        for (int round = 0; round < 120; round++) {
            CellType type = round % 2 == 0 ? CellType.FLOAT : CellType.BFLOAT16;
            int size = new int[] {64, 100, 384}[round % 3];
            int rows = 1 + random.nextInt(400);
            double[] query = shifted(numbers(size, magnitude()));
            try (var arena = Arena.ofConfined()) {
                MemorySegment cells = arena.allocate((long) rows * size * type.size());
                for (int row = 0; row < rows; row++) {
                    double[] vector = vector(query);
                    for (int i = 0; i < size; i++) {
                        long cell = (long) row * size + i;
                        Cells.write(cells, cell * type.size(), type, vector[i]);
                    }
                }
                MemorySegment lengths = Cells.inverseLengths(arena, type, cells, rows);
                TensorType field = type(type, size);
                boolean haveLengths = random.nextBoolean();
                QuantizedVectors quantized = quantized(arena, field, cells, rows, haveLengths);
                DenseTensor tensor = DenseTensor.of(type(CellType.DOUBLE, size), query);
                for (RowKernels kernels : KERNELS) {
                    Distances distances = Distances.of(kernels, metric, field, tensor);
                    double[] exact = new double[rows];
                    var stored =
                            haveLengths
                                    ? StoredVectors.of(cells)
                                    : new StoredVectors(cells, Optional.of(lengths));
                    distances.run(stored, 0, rows, exact);
                    if (!distances.isQuantizable()) {
                        double length = Math.sqrt(Arrays.stream(query).map(x -> x * x).sum());
                        assertThat(length).matches(each -> each < 0x1p-49 || each > 0x1p49);
                        continue;
                    }
                    int from = random.nextInt(rows);
                    double[] least = new double[rows - from];
                    distances.least(
                            quantized,
                            haveLengths ? quantized.inverseLengths() : lengths,
                            from,
                            rows - from,
                            least);
                    double tolerance = haveLengths ? distances.lengthsTolerance() : 0;
                    for (int i = 0; i < least.length; i++) {
                        double distance = exact[from + i];
                        String what =
                                "%s of %s, %s, row %d, round %d, seed %d"
                                        .formatted(
                                                metric,
                                                field,
                                                kernels.getClass().getSimpleName(),
                                                from + i,
                                                round,
                                                SEED);
                        if (Double.isNaN(least[i])) {
                            assertThat(distance).as(what).isNaN();
                        } else if (!Double.isNaN(distance)) {
                            assertThat(least[i] - tolerance).as(what).isLessThanOrEqualTo(distance);
                            told++;
                        }
                    }
                }
            }
        }
        assertThat(told).isGreaterThan(10_000);
    }

    /**
     * Few are left to be compared: of vectors as models make them, and of those whose cells have
     * something in common.
     */
    @ParameterizedTest
    @CsvSource({
        "EUCLIDEAN, 0, 1",
        "ANGULAR, 0, 1",
        "DOTPRODUCT, 0, 1",
        "PRENORMALIZED_ANGULAR, 0, 1",
        "EUCLIDEAN, 3, 4",
        "ANGULAR, -30, 0",
    })
    void mostAreToldToBeTooFarAway(DistanceMetric metric, double mean, double queryMean) {
        int rows = 4_000;
        int size = 384;
        try (var arena = Arena.ofConfined()) {
            MemorySegment cells = arena.allocate((long) rows * size * Float.BYTES);
            for (int i = 0; i < rows * size; i++) {
                double cell = mean + random.nextGaussian();
                Cells.write(cells, (long) i * Float.BYTES, CellType.FLOAT, cell);
            }
            double[] query = random.doubles(size, queryMean - 1, queryMean + 1).toArray();
            MemorySegment lengths = Cells.inverseLengths(arena, CellType.FLOAT, cells, rows);
            TensorType field = type(CellType.FLOAT, size);
            QuantizedVectors quantized = quantized(arena, field, cells, rows, false);
            Distances distances =
                    Distances.of(metric, field, DenseTensor.of(type(CellType.DOUBLE, size), query));
            double[] exact = new double[rows];
            distances.run(new StoredVectors(cells, Optional.of(lengths)), 0, rows, exact);
            double[] least = new double[rows];
            distances.least(quantized, lengths, 0, rows, least);

            Arrays.sort(exact);
            long left = Arrays.stream(least).filter(each -> each <= exact[9]).count();

            assertThat(left).as("seed %d", SEED).isBetween(10L, 40L);
        }
    }

    private double[] vector(double[] query) {
        double[] vector =
                switch (random.nextInt(8)) {
                    case 0 -> new double[query.length];
                    case 1 -> query.clone();
                    case 2 -> near(query);
                    case 3 -> numbers(query.length, magnitude());
                    case 4 -> shifted(numbers(query.length, magnitude()));
                    default -> shifted(numbers(query.length, Math.abs(query[0])));
                };
        if (random.nextInt(30) == 0) {
            vector[random.nextInt(query.length)] =
                    switch (random.nextInt(3)) {
                        case 0 -> Double.NaN;
                        case 1 -> Double.NEGATIVE_INFINITY;
                        default -> 1_000 * query[0];
                    };
        }
        return vector;
    }

    /** Often, so that all cells have something in common. */
    private double[] shifted(double[] numbers) {
        double by = random.nextInt(-1, 2) * Math.abs(numbers[1]) * Math.pow(10, random.nextInt(4));
        return Arrays.stream(numbers).map(number -> number + by).toArray();
    }

    private double magnitude() {
        return Math.pow(10, random.nextBoolean() ? random.nextInt(-4, 4) : random.nextInt(-45, 39));
    }

    private double[] numbers(int count, double magnitude) {
        return random.doubles(count).map(number -> (number - 0.5) * magnitude).toArray();
    }

    private double[] near(double[] query) {
        return Arrays.stream(query)
                .map(cell -> cell * (1 + random.nextGaussian() / 1_000))
                .toArray();
    }

    private static QuantizedVectors quantized(
            Arena arena, TensorType type, MemorySegment cells, int rows, boolean haveLengths) {
        long size = QuantizedVectors.byteSize(type, rows, haveLengths);
        QuantizedVectors made =
                QuantizedVectors.of(type, cells, rows, haveLengths, arena.allocate(size));
        assertThat(made.byteSize()).isEqualTo(size);
        return made;
    }

    private static TensorType type(CellType type, int size) {
        return new TensorType(type, List.of(new Dimension.Indexed("x", size)));
    }
}
