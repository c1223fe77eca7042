package org.crabro.ranking.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NumberSearchTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    private final Random random = new Random(SEED);

    /** Around the multiples of 8 to 64 lanes, where the loops change over. */
    @ParameterizedTest
    @ValueSource(
            ints = {0, 1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1_000, 4_096})
    void bothFindWhatAPlainLoopFinds(int length) {
        for (int width : new int[] {1, 2, 4}) {
            for (int i = 0; i < 40; i++) {
                int largest = largest(width);
                int[] numbers = new int[length + random.nextInt(70)];
                Arrays.setAll(numbers, _ -> number(largest));
                int from = random.nextInt(numbers.length - length + 1);
                int low = number(largest);
                int high = random.nextInt(3) == 0 ? low : Math.max(low, number(largest));
                int[] expected =
                        IntStream.range(from, from + length)
                                .filter(at -> numbers[at] >= low && numbers[at] <= high)
                                .toArray();

                compare(numbers, width, from, from + length, low, high, expected);
            }
        }
    }

    @Test
    void findsNothingThatDoesNotFitTheWidth() {
        int[] numbers = new int[100];

        compare(numbers, 1, 0, 100, 256, 256, new int[0]);
        compare(numbers, 2, 0, 100, 65_536, 65_540, new int[0]);
        compare(numbers, 1, 0, 100, 0, 300, IntStream.range(0, 100).toArray());
        compare(numbers, 2, 0, 100, 0, Integer.MAX_VALUE, IntStream.range(0, 100).toArray());
    }

    private static void compare(
            int[] numbers, int width, int from, int to, int low, int high, int[] expected) {
        try (var arena = Arena.ofConfined()) {
            // At an odd address, with no bytes after the last number.
            MemorySegment all = arena.allocate(1 + (long) width * numbers.length).asSlice(1);
            for (int i = 0; i < numbers.length; i++) {
                put(all, width, i, numbers[i]);
            }
            for (NumberSearch search :
                    new NumberSearch[] {new ScalarNumberSearch(), new VectorNumberSearch()}) {
                int[] into = new int[to - from];

                int count = search.find(all, width, from, to, low, high, into);

                assertThat(Arrays.copyOf(into, count))
                        .as(
                                "%s: %d to %d of width %d, %d to %d, seed %d",
                                search.getClass().getSimpleName(), from, to, width, low, high, SEED)
                        .isEqualTo(expected);
            }
        }
    }

    private static int largest(int width) {
        return width == 4 ? Integer.MAX_VALUE : (1 << (8 * width)) - 1;
    }

    /** Near the ends more often than not, where a sign would be mistaken. */
    private int number(int largest) {
        return switch (random.nextInt(5)) {
            case 0 -> random.nextInt(4);
            case 1 -> largest - random.nextInt(4);
            case 2 -> largest / 2 - 2 + random.nextInt(4);
            default -> (int) (random.nextDouble() * largest);
        };
    }

    private static void put(MemorySegment into, int width, int index, int number) {
        switch (width) {
            case 1 -> into.set(ValueLayout.JAVA_BYTE, index, (byte) number);
            case 2 ->
                    into.set(
                            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
                            2L * index,
                            (short) number);
            default ->
                    into.set(
                            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
                            4L * index,
                            number);
        }
    }
}
