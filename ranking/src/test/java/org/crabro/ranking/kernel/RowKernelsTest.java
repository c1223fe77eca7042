package org.crabro.ranking.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowKernelsTest {
    private static final int ROWS = 3;

    /** Cells of a row of whole cache lines. */
    private static final int FEW = 64;

    /** All that this machine can do but for the scalar one. */
    private static final List<RowKernels> FAST =
            MachineCode.HERE.isPresent()
                    ? List.of(new VectorRowKernels(), new MachineRowKernels())
                    : List.of(new VectorRowKernels());

    /** Every length over several steps of the widest vectors, and around larger multiples. */
    static Stream<Arguments> typesAndLengths() {
        return Stream.of(CellType.values())
                .flatMap(type ->
                        IntStream.concat(
                                        IntStream.rangeClosed(1, 200),
                                        IntStream.of(255, 256, 257, 383, 384, 385, 1_023))
                                .mapToObj(length -> Arguments.of(type, length)));
    }

    @ParameterizedTest
    @MethodSource("typesAndLengths")
    void allImplementationsAgree(CellType type, int length) {
        long seed = Long.getLong("crabro.seed", 2026) + length;
        var random = new Random(seed);
        QueryVector query = new QueryVector(type, tensor(type, random, length));
        try (var arena = Arena.ofConfined()) {
            // Not a byte more than the rows, at an odd offset: reading past the end would be seen.
            MemorySegment cells = rows(arena, type, random, length);
            for (RowKernels fast : FAST) {
                for (Kernel kernel : Kernel.values()) {
                    agrees(fast, kernel, query, cells, "seed " + seed);
                }
            }
        }
    }

    /** Compares {@link #ROWS} rows at an odd address. */
    private static void agrees(
            RowKernels fast, Kernel kernel, QueryVector query, MemorySegment cells, String hint) {
        var scalar = new ScalarRowKernels();
        int length = query.size;
        double unit = unit(query.cellType);
        double[] inRun = new double[ROWS];
        kernel.run.compare(fast, query, cells.asSlice(1), ROWS, inRun);
        for (int row = 0; row < ROWS; row++) {
            long at = 1 + row * query.rowSize;
            String what =
                    "%s, %s of %s x %d, row %d, %s"
                            .formatted(
                                    fast.getClass().getSimpleName(),
                                    kernel,
                                    query.cellType,
                                    length,
                                    row,
                                    hint);
            double expected = kernel.row.compare(scalar, query, cells, at);
            double allowed =
                    switch (kernel) {
                        case DOT -> (length + 2) * unit * terms(query, cells, at);
                        case SQUARED_DISTANCE -> (length + 2) * unit * expected;
                        case COSINE -> (length + 4) * 2 * unit;
                        case DIFFERING -> 0;
                    };

            double actual = kernel.row.compare(fast, query, cells, at);

            assertThat(actual).as(what).isCloseTo(expected, within(allowed));
            assertThat(inRun[row]).as("in a run, " + what).isEqualTo(actual);
        }
    }

    /**
     * The lengths of both are no help for near rows: their difference consists of rounding errors.
     */
    @ParameterizedTest
    @ValueSource(ints = {32, 96, 384, 1_024, 4_096})
    void nearRowsAreAsExact(int length) {
        long seed = Long.getLong("crabro.seed", 2026) + length;
        var random = new Random(seed);
        DenseTensor vector = tensor(CellType.BFLOAT16, random, length);
        var query = new QueryVector(CellType.BFLOAT16, vector);
        try (var arena = Arena.ofConfined()) {
            MemorySegment cells = arena.allocate(1 + ROWS * query.rowSize);
            for (double apart = 4; apart > 1e-4; apart /= 1.3) {
                for (int i = 0; i < ROWS * length; i++) {
                    // The first is the query itself.
                    int row = i / length;
                    double moved = vector.cell(i % length) + row * apart * random.nextGaussian();
                    Cells.write(cells, 1 + i * (long) Short.BYTES, CellType.BFLOAT16, moved);
                }
                for (RowKernels fast : FAST) {
                    String hint = "apart %s, seed %d".formatted(apart, seed);
                    agrees(fast, Kernel.SQUARED_DISTANCE, query, cells, hint);
                    assertThat(fast.squaredDistance(query, cells, 1)).as(hint).isEqualTo(0);
                }
            }
        }
    }

    /** Rows are near one by one, or so many that all are compared together. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 12, 13, 100})
    void nearRowsOfRunsGiveWhatSingleRowsGive(int near) {
        long seed = Long.getLong("crabro.seed", 2026) + near;
        var random = new Random(seed);
        DenseTensor vector = tensor(CellType.BFLOAT16, random, 384);
        var query = new QueryVector(CellType.BFLOAT16, vector);
        int count = 101;
        try (var arena = Arena.ofConfined()) {
            MemorySegment run = arena.allocate(count * query.rowSize);
            for (int i = 0; i < count * 384; i++) {
                boolean isNear = (i / 384 * 37) % count < near;
                double cell =
                        isNear
                                ? vector.cell(i % 384) * (1 + random.nextGaussian() / 50)
                                : value(CellType.BFLOAT16, random);
                Cells.write(run, (long) i * Short.BYTES, CellType.BFLOAT16, cell);
            }
            for (RowKernels fast : FAST) {
                double[] inRun = new double[count];
                fast.squaredDistances(query, run, count, inRun);
                for (int row = 0; row < count; row++) {
                    assertThat(inRun[row])
                            .as("%s, row %d, seed %d", fast, row, seed)
                            .isEqualTo(fast.squaredDistance(query, run, row * query.rowSize));
                }
            }
        }
    }

    /** Subnormal numbers may count as zero; the error is bounded. */
    @ParameterizedTest
    @CsvSource({
        "1, 1e-39",
        "1e-39, 1",
        "1e30, 1e-39",
        "1e-39, 1e30",
        "1e-39, 1e-39",
        "1e-30, 1e-30"
    })
    void loseNoMoreThanStated(double queried, double stored) {
        QueryVector query = bfloat16(_ -> queried);
        try (var arena = Arena.ofConfined()) {
            MemorySegment cells = bfloat16(arena, _ -> stored);
            var scalar = new ScalarRowKernels();
            double dot = scalar.dot(query, cells, 0);
            double distance = scalar.squaredDistance(query, cells, 0);
            for (RowKernels fast : FAST) {
                assertThat(fast.dot(query, cells, 0))
                        .isCloseTo(dot, within((FEW + 2) * 0x1p-23 * dot + query.lost));
                double actual = fast.squaredDistance(query, cells, 0);
                // More than a float holds is infinite for some.
                if (distance < Float.MAX_VALUE) {
                    assertThat(actual)
                            .isCloseTo(
                                    distance, within((FEW + 2) * 0x1p-23 * distance + query.lost));
                }
            }
        }
    }

    /**
     * Infinite results and NaN are the same for all kernels; also results whose lengths exceed
     * floats.
     */
    @ParameterizedTest
    @CsvSource({"1, 1", "1e30, 1e30", "Infinity, 1", "NaN, 1", "1, -Infinity", "1, NaN"})
    void numbersBeyondFloatsAgree(double queried, double stored) {
        QueryVector query = bfloat16(i -> i == 40 ? queried : 1);
        try (var arena = Arena.ofConfined()) {
            MemorySegment cells = bfloat16(arena, i -> i == 40 ? stored : 1);
            var vector = new VectorRowKernels();
            for (RowKernels fast : FAST) {
                // As objects, of which one NaN equals another.
                assertThat((Double) fast.dot(query, cells, 0))
                        .isEqualTo((Double) vector.dot(query, cells, 0));
                assertThat((Double) fast.squaredDistance(query, cells, 0))
                        .isEqualTo((Double) vector.squaredDistance(query, cells, 0));
            }
        }
    }

    /** Long enough for parts of a run to be taken side by side, with rows left over or none. */
    @ParameterizedTest
    @CsvSource({
        "DOUBLE, 96, 4097",
        "FLOAT, 96, 4097",
        "FLOAT, 384, 4096",
        "FLOAT, 32768, 7",
        "INT8, 96, 4097",
        "INT8, 128, 4097",
        "INT8, 384, 4097",
        "BFLOAT16, 96, 4096",
        "BFLOAT16, 96, 4097",
        "BFLOAT16, 128, 4098",
        "BFLOAT16, 128, 4099",
        "BFLOAT16, 384, 1024",
        "BFLOAT16, 384, 4061",
        "BFLOAT16, 384, 4097",
        "BFLOAT16, 32768, 1",
        "BFLOAT16, 32768, 3",
        "BFLOAT16, 32768, 4",
    })
    void longRunsGiveWhatSingleRowsGive(CellType type, int length, int count) {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        QueryVector query = new QueryVector(type, tensor(type, random, length));
        try (var arena = Arena.ofConfined()) {
            MemorySegment run = arena.allocate(count * query.rowSize);
            for (long i = 0; i < (long) count * length; i++) {
                Cells.write(run, i * type.size(), type, value(type, random));
            }
            for (RowKernels fast : FAST) {
                for (Kernel kernel : Kernel.values()) {
                    double[] inRun = new double[count];
                    kernel.run.compare(fast, query, run, count, inRun);
                    for (int row = 0; row < count; row++) {
                        long at = row * query.rowSize;
                        assertThat(inRun[row])
                                .as("%s of %s, row %d, seed %d", kernel, type, row, seed)
                                .isEqualTo(kernel.row.compare(fast, query, run, at));
                    }
                }
            }
        }
    }

    /** Loops over long runs do not check their reads, so the caller checks the bounds before. */
    @ParameterizedTest
    @CsvSource({
        "FLOAT, DOT",
        "FLOAT, SQUARED_DISTANCE",
        "BFLOAT16, DOT",
        "BFLOAT16, SQUARED_DISTANCE",
        "INT8, DIFFERING",
        "INT8, DOT",
        "INT8, SQUARED_DISTANCE",
    })
    void longRunsAreReadNowhereElse(CellType type, Kernel kernel) {
        for (RowKernels fast : FAST) {
            isReadNowhereElse(fast, type, kernel);
        }
    }

    private static void isReadNowhereElse(RowKernels fast, CellType type, Kernel kernel) {
        QueryVector query = new QueryVector(type, tensor(type, new Random(1), 384));
        int count = 1_000;
        MemorySegment closed;
        try (var arena = Arena.ofConfined()) {
            MemorySegment run = arena.allocate(count * query.rowSize);
            closed = run;
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() ->
                            kernel.run.compare(fast, query, run, count + 1, new double[count + 1]));
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() ->
                            kernel.run.compare(fast, query, run, count, new double[count - 1]));
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() ->
                            kernel.row.compare(
                                    fast, query, run, run.byteSize() - query.rowSize + 1));
        }
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> kernel.run.compare(fast, query, closed, count, new double[count]));
        assertThatIllegalStateException()
                .isThrownBy(() -> kernel.row.compare(fast, query, closed, 0));
    }

    @Test
    void longRunsOnTheHeapGiveTheSame() {
        var random = new Random(7);
        QueryVector query =
                new QueryVector(CellType.BFLOAT16, tensor(CellType.BFLOAT16, random, 384));
        int count = 501;
        byte[] bytes = new byte[(int) (count * query.rowSize)];
        MemorySegment heap = MemorySegment.ofArray(bytes);
        for (long i = 0; i < (long) count * 384; i++) {
            Cells.write(heap, i * Short.BYTES, CellType.BFLOAT16, value(CellType.BFLOAT16, random));
        }
        try (var arena = Arena.ofConfined()) {
            MemorySegment outside = arena.allocate(bytes.length).copyFrom(heap);
            for (RowKernels fast : FAST) {
                for (Kernel kernel : Kernel.values()) {
                    double[] expected = new double[count];
                    double[] actual = new double[count];
                    kernel.run.compare(fast, query, outside, count, expected);
                    kernel.run.compare(fast, query, heap, count, actual);
                    assertThat(actual).as("%s", kernel).isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void angularDistancesAreTheSame() {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        try (var arena = Arena.ofConfined()) {
            for (int count = 0; count < 70; count++) {
                MemorySegment floats = arena.allocate(1 + (long) count * Float.BYTES).asSlice(1);
                for (int i = 0; i < count; i++) {
                    Cells.write(
                            floats,
                            (long) i * Float.BYTES,
                            CellType.FLOAT,
                            random.nextInt(5) == 0 ? 0 : random.nextGaussian());
                }
                double factor = random.nextGaussian();
                double[] expected = random.doubles(count + 1, -1, 1).toArray();
                double[] numbers = expected.clone();

                new ScalarRowKernels().angular(expected, count, floats, factor);
                new VectorRowKernels().angular(numbers, count, floats, factor);

                assertThat(numbers).as("%d numbers, seed %d", count, seed).isEqualTo(expected);
            }
        }
    }

    @Test
    void findsTheFirstWithinABound() {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        for (int round = 0; round < 20_000; round++) {
            double[] numbers = new double[random.nextInt(40)];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = random.nextInt(4) == 0 ? Double.NaN : random.nextInt(20);
            }
            int from = random.nextInt(numbers.length + 1);
            int to = random.nextInt(from, numbers.length + 1);
            double bound = random.nextInt(5) == 0 ? Double.POSITIVE_INFINITY : random.nextInt(5);
            int first = from;
            while (first < to && (Double.isNaN(numbers[first]) || numbers[first] > bound)) {
                first++;
            }
            for (RowKernels kernels : List.of(new ScalarRowKernels(), new VectorRowKernels())) {
                assertThat(kernels.firstWithin(numbers, from, to, bound))
                        .as("%s from %d to %d, %s, seed %d", kernels, from, to, bound, seed)
                        .isEqualTo(first);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("extremes")
    void sumsOfBytesNeverOverflow(int length, byte query, byte stored) {
        double[] values = new double[length];
        Arrays.fill(values, query);
        TensorType type = type(CellType.INT8, length);
        var vector = new QueryVector(CellType.INT8, DenseTensor.of(type, values));
        try (var arena = Arena.ofConfined()) {
            MemorySegment cells = arena.allocate(length).fill(stored);

            for (RowKernels fast : FAST) {
                assertThat(fast.squaredDistance(vector, cells, 0))
                        .isEqualTo((double) length * (query - stored) * (query - stored));
                assertThat(fast.dot(vector, cells, 0)).isEqualTo((double) length * query * stored);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("extremeCells")
    void sumsOfBytesInLongRunsNeverOverflow(byte query, byte stored) {
        int length = 1 << 14;
        int count = 5;
        double[] values = new double[length];
        Arrays.fill(values, query);
        var vector =
                new QueryVector(CellType.INT8, DenseTensor.of(type(CellType.INT8, length), values));
        try (var arena = Arena.ofConfined()) {
            MemorySegment cells = arena.allocate((long) count * length).fill(stored);
            for (RowKernels fast : FAST) {
                double[] dots = new double[count];
                double[] squares = new double[count];

                fast.dots(vector, cells, count, dots);
                fast.squaredDistances(vector, cells, count, squares);

                assertThat(dots).containsOnly((double) (length * query * stored));
                assertThat(squares)
                        .containsOnly((double) (length * (query - stored) * (query - stored)));
            }
        }
    }

    static Stream<Arguments> extremeCells() {
        List<Byte> cells = List.of((byte) -128, (byte) -127, (byte) -1, (byte) 0, (byte) 127);
        return cells.stream()
                .flatMap(query -> cells.stream().map(stored -> Arguments.of(query, stored)));
    }

    static List<Arguments> extremes() {
        return List.of(
                Arguments.of(70_001, (byte) -128, (byte) 127),
                Arguments.of(70_001, (byte) -128, (byte) -128),
                Arguments.of(1 << 15, (byte) 127, (byte) -128));
    }

    enum Kernel {
        DOT(RowKernels::dot, RowKernels::dots),
        SQUARED_DISTANCE(RowKernels::squaredDistance, RowKernels::squaredDistances),
        COSINE(RowKernels::cosine, RowKernels::cosines),
        DIFFERING(RowKernels::differing, RowKernels::differing);

        @SuppressWarnings("ImmutableEnumChecker") // method references, without state
        private final OfRow row;

        @SuppressWarnings("ImmutableEnumChecker") // method references, without state
        private final OfRun run;

        Kernel(OfRow row, OfRun run) {
            this.row = row;
            this.run = run;
        }
    }

    private interface OfRow {
        double compare(RowKernels kernels, QueryVector query, MemorySegment cells, long offset);
    }

    private interface OfRun {
        void compare(
                RowKernels kernels, QueryVector query, MemorySegment run, int count, double[] into);
    }

    /** How far one float operation may be off, twice; in the scalar twin everything is double. */
    private static double unit(CellType type) {
        return switch (type) {
            case FLOAT, BFLOAT16 -> 0x1p-23;
            case DOUBLE -> 0x1p-52;
            case INT8 -> 0;
        };
    }

    private static double terms(QueryVector query, MemorySegment cells, long at) {
        double sum = 0;
        for (int i = 0; i < query.size; i++) {
            sum += Math.abs(query.cells[i] * ScalarRowKernels.cell(query.cellType, cells, at, i));
        }
        return sum;
    }

    /** Few different values for int8, so that some cells are equal; some zeros everywhere. */
    private static double value(CellType type, Random random) {
        return switch (type) {
            case INT8 -> random.nextInt(256) - 128;
            case DOUBLE, FLOAT, BFLOAT16 ->
                    random.nextInt(4) == 0 ? random.nextInt(2) : random.nextGaussian();
        };
    }

    private static QueryVector bfloat16(IntToDoubleFunction cells) {
        double[] values = IntStream.range(0, FEW).mapToDouble(cells).toArray();
        return new QueryVector(
                CellType.BFLOAT16, DenseTensor.of(type(CellType.BFLOAT16, FEW), values));
    }

    /** Returns a row for {@link #bfloat16(IntToDoubleFunction)}. */
    private static MemorySegment bfloat16(Arena arena, IntToDoubleFunction cells) {
        MemorySegment row = arena.allocate((long) FEW * Short.BYTES);
        for (int i = 0; i < FEW; i++) {
            Cells.write(row, (long) i * Short.BYTES, CellType.BFLOAT16, cells.applyAsDouble(i));
        }
        return row;
    }

    private static TensorType type(CellType type, int length) {
        return new TensorType(type, List.of(new Dimension.Indexed("x", length)));
    }

    private static DenseTensor tensor(CellType type, Random random, int length) {
        double[] values = new double[length];
        Arrays.setAll(values, _ -> value(type, random));
        return DenseTensor.of(type(type, length), values);
    }

    private static MemorySegment rows(Arena arena, CellType type, Random random, int length) {
        long size = (long) ROWS * length * type.size();
        MemorySegment cells = arena.allocate(1 + size);
        for (long i = 0; i < (long) ROWS * length; i++) {
            Cells.write(cells, 1 + i * type.size(), type, value(type, random));
        }
        return cells;
    }
}
