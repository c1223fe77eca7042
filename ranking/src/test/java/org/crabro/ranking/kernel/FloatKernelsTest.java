package org.crabro.ranking.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.stream.IntStream;
import org.crabro.ranking.tensor.TensorWork;
import org.crabro.tensor.CellType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The loops over floats give what their scalar twins give, within the bound that is stated. */
class FloatKernelsTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    private final Random random = new Random(SEED);
    private final FloatKernels scalar = new ScalarFloatKernels();
    private final FloatKernels vector = new VectorFloatKernels();

    @Test
    void dotProductsAgree() {
        for (int count = 0; count < 300; count++) {
            float[] left = floats(count);
            float[] right = floats(count);

            double sum = vector.dot(left, right, count);

            assertThat(sum)
                    .as("%d cells, seed %d", count, SEED)
                    .isCloseTo(
                            scalar.dot(left, right, count),
                            within((count + 2) * 0x1p-23 * magnitude(left, right)));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 1",
        "1, 7, 3",
        "3, 4, 128",
        "8, 5, 17",
        "15, 9, 16",
        "16, 16, 24",
        "17, 3, 5",
        "31, 11, 33",
        "32, 128, 128",
        "33, 2, 40",
        "40, 13, 7",
        "65, 6, 12"
    })
    void largestSumsAgree(int count, int otherCount, int size) {
        double[] rows =
                random.doubles((long) count * size, -1, 1).map(each -> (float) each).toArray();
        float[] others = floats(otherCount * size);

        double sum =
                QueryRows.of(vector, rows, size)
                        .largestSum(others, others.length, TensorWork.UNLIMITED);

        assertThat(sum)
                .as("seed %d", SEED)
                .isCloseTo(
                        QueryRows.of(scalar, rows, size)
                                .largestSum(others, others.length, TensorWork.UNLIMITED),
                        within(count * (size + 2) * size * 0x1p-23));
    }

    @Test
    void theLargestOfNothingIsNothing() {
        assertThat(
                        QueryRows.of(new double[] {1, 2}, 2)
                                .largestSum(new float[8], 0, TensorWork.UNLIMITED))
                .isZero();
        assertThat(QueryRows.of(new double[0], 2).largestSum(new float[8], 8, TensorWork.UNLIMITED))
                .isZero();
    }

    /** Others that are all on the far side are no nearer than they are. */
    @Test
    void theLargestMayBeNegative() {
        double[] rows = {1, 0, 0, 1, 1, 1};
        float[] others = {-1, -2, -3, -4, -5, -6};

        assertThat(QueryRows.of(vector, rows, 2).largestSum(others, 6, TensorWork.UNLIMITED))
                .isEqualTo(-1 - 2 - 3);
    }

    @ParameterizedTest
    @EnumSource(CellType.class)
    void copiesOfCellsAreTheSame(CellType type) {
        try (var arena = Arena.ofConfined()) {
            for (int count = 0; count < 100; count++) {
                int start = random.nextInt(5);
                // Not a byte more than the cells, at an odd offset: reading past would be seen.
                MemorySegment bytes =
                        arena.allocate((start + (long) count) * type.size() + 1).asSlice(1);
                for (long i = 0; i < bytes.byteSize(); i++) {
                    bytes.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt(256));
                }
                float[] expected = new float[count];
                float[] copies = new float[count];

                scalar.copy(type, bytes, start, expected, count);
                vector.copy(type, bytes, start, copies, count);

                assertThat(bits(copies))
                        .as("%d cells, seed %d", count, SEED)
                        .containsExactly(bits(expected));
            }
        }
    }

    /** All NaNs are one. */
    private static int[] bits(float[] floats) {
        return IntStream.range(0, floats.length)
                .map(i -> Float.floatToIntBits(floats[i]))
                .toArray();
    }

    private static double magnitude(float[] left, float[] right) {
        double sum = 0;
        for (int i = 0; i < left.length; i++) {
            sum += Math.abs((double) left[i] * right[i]);
        }
        return sum;
    }

    private float[] floats(int count) {
        float[] floats = new float[count];
        for (int i = 0; i < count; i++) {
            floats[i] = 2 * random.nextFloat() - 1;
        }
        return floats;
    }
}
