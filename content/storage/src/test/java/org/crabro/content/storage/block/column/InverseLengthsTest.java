package org.crabro.content.storage.block.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.tensor.CellType;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class InverseLengthsTest {
    @ParameterizedTest
    @EnumSource(CellType.class)
    void multipliedWithTheirVectorGiveLengthOne(CellType type) {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        for (int size = 1; size < 70; size++) {
            try (var arena = Arena.ofConfined()) {
                MemorySegment cells = arena.allocate(3 + (long) size * type.size());
                double squares = 0;
                for (int i = 0; i < size; i++) {
                    long at = 3 + (long) i * type.size();
                    double cell = 1 + random.nextInt(100);
                    write(cells, at, type, cell);
                    squares += cell * cell;
                }

                float inverse = InverseLengths.of(type, cells, 3, size);

                assertThat(inverse * Math.sqrt(squares))
                        .as("%d cells of %s, seed %d", size, type, seed)
                        .isCloseTo(1, within(0x1p-23));
            }
        }
    }

    /** The stored value must not depend on the implementation. */
    @ParameterizedTest
    @EnumSource(CellType.class)
    void squaresAreAddedInTheStatedOrder(CellType type) {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        for (int size = 1; size < 70; size++) {
            try (var arena = Arena.ofConfined()) {
                MemorySegment cells = arena.allocate(3 + (long) size * type.size());
                var sums = new double[4];
                for (int i = 0; i < size; i++) {
                    // As many bits as a bfloat16 has; with exponents so far apart that the order of
                    // additions matters.
                    int value = random.nextInt(256) - 128;
                    double cell =
                            type == CellType.INT8
                                    ? value
                                    : value * Math.pow(2, random.nextInt(60) - 30);
                    write(cells, 3 + (long) i * type.size(), type, cell);
                    sums[i < size / 4 * 4 ? i % 4 : 0] += cell * cell;
                }
                double squares = sums[0] + sums[1] + (sums[2] + sums[3]);
                float expected = squares == 0 ? 0 : (float) (1 / Math.sqrt(squares));

                assertThat(InverseLengths.of(type, cells, 3, size))
                        .as("%d cells of %s, seed %d", size, type, seed)
                        .isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "-0.0, 0", "1e-40, 0", "1e30, 1e-30", "Infinity, 0"})
    void whatHasNoDirectionHasNone(float cell, float expected) {
        try (var arena = Arena.ofConfined()) {
            MemorySegment cells = arena.allocate(4L * Float.BYTES);
            write(cells, 4, CellType.FLOAT, cell);

            assertThat(InverseLengths.of(CellType.FLOAT, cells, 0, 4)).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tensor<float>(x[32])      | true",
                "tensor<bfloat16>(x[384])  | true",
                "tensor<int8>(x[32])       | true",
                "tensor<float>(x[31])      | false",
                "tensor<double>(x[384])    | false",
                "tensor<float>(x[32],y[2]) | false",
                "tensor<float>(x{})        | false",
            })
    void areStoredForVectorsOfSomeLength(String type, boolean expected) {
        assertThat(InverseLengths.areKeptFor(TensorType.parse(type))).isEqualTo(expected);
    }

    private static void write(MemorySegment cells, long at, CellType type, double value) {
        switch (type) {
            case DOUBLE -> cells.set(BlockLayout.LONG, at, Double.doubleToRawLongBits(value));
            case FLOAT -> cells.set(BlockLayout.INT, at, Float.floatToRawIntBits((float) value));
            case BFLOAT16 -> {
                int bits = Float.floatToRawIntBits((float) value);
                cells.set(BlockLayout.SHORT, at, (short) (bits >>> Short.SIZE));
            }
            case INT8 -> cells.set(ValueLayout.JAVA_BYTE, at, (byte) value);
        }
    }
}
