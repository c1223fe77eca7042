package org.crabro.content.search.group;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole numbers are divided as {@link Math#floorDiv(long, long)} does it. */
class FixedWidthTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    @ParameterizedTest
    @ValueSource(
            longs = {1, 2, 3, 7, 10, 3_600, 86_400, 1L << 40, (1L << 51) + 1, Long.MAX_VALUE - 1})
    void quotients(long width) {
        System.out.println("FixedWidthTest seed " + SEED);
        var random = new Random(SEED);
        for (int bits : new int[] {8, 20, 40, 51, 52, 53, 64}) {
            var numbers = new long[300];
            for (int i = 0; i < numbers.length; i++) {
                long number = random.nextLong() >> (64 - bits);
                // On either side of the borders of ranges, too.
                numbers[i] =
                        random.nextBoolean()
                                ? number
                                : Math.floorDiv(number, width) * width + random.nextInt(3) - 1;
            }
            var quotients = new long[numbers.length];
            FixedWidth.divide(numbers, quotients, numbers.length, width);
            for (int i = 0; i < numbers.length; i++) {
                assertEquals(
                        Math.floorDiv(numbers[i], width),
                        quotients[i],
                        numbers[i] + " by " + width);
            }
        }
    }
}
