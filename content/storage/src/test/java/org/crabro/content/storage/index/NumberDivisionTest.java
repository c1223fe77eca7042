package org.crabro.content.storage.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NumberDivisionTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    private static final List<Long> CORNERS =
            List.of(
                    Long.MIN_VALUE,
                    Long.MIN_VALUE + 1,
                    -(1L << 60) - 1,
                    -65L,
                    -8L,
                    -1L,
                    0L,
                    1L,
                    7L,
                    8L,
                    63L,
                    64L,
                    1L << 60,
                    (1L << 60) + 1,
                    Long.MAX_VALUE - 1,
                    Long.MAX_VALUE);

    private final Random random = new Random(SEED);

    /**
     * A part.
     *
     * @param name equal for parts that may have numbers in common
     */
    private record Part(String name, int first, int last) {
        boolean meets(Part that) {
            return name.equals(that.name) && first <= that.last && that.first <= last;
        }
    }

    private static final class PartList implements NumberDivision.Parts {
        private final List<Part> parts = new ArrayList<>();

        @Override
        public void edge(boolean isNegative, long block, int first, int last) {
            parts.add(new Part("edge %b %d".formatted(isNegative, block), first, last));
        }

        @Override
        public void block(boolean isNegative, int level, long block) {
            parts.add(new Part("block %b %d %d".formatted(isNegative, level, block), 0, 0));
        }

        @Override
        public void beyond(boolean isNegative, int level) {
            parts.add(new Part("beyond %b %d".formatted(isNegative, level), 0, 0));
        }
    }

    private static List<Part> ofRange(long low, long high) {
        var list = new PartList();
        NumberDivision.ofRange(low, high, list);
        return list.parts;
    }

    private static List<Part> ofNumber(long number) {
        var list = new PartList();
        NumberDivision.ofNumber(number, list);
        return list.parts;
    }

    private long number() {
        return switch (random.nextInt(4)) {
            case 0 -> CORNERS.get(random.nextInt(CORNERS.size()));
            case 1 -> random.nextLong() >> random.nextInt(64);
            default -> random.nextInt(-100, 100);
        };
    }

    @Test
    void aNumberHasOnePartInCommonWithARangeThatIncludesIt() {
        for (int i = 0; i < 20_000; i++) {
            long low = number();
            long high = number();
            List<Part> range = ofRange(low, high);
            assertThat(range).hasSizeLessThanOrEqualTo(2 * 7 * NumberDivision.LEVELS + 32);
            for (long number : List.of(number(), low, high, low - 1, high + 1)) {
                long common =
                        ofNumber(number).stream()
                                .mapToLong(part -> range.stream().filter(part::meets).count())
                                .sum();

                assertThat(common)
                        .as("%d in [%d..%d], seed %d", number, low, high, SEED)
                        .isEqualTo(number >= low && number <= high ? 1 : 0);
            }
        }
    }

    @Test
    void openRangesOfSmallNumbersHaveFewParts() {
        assertThat(ofRange(20, Long.MAX_VALUE)).hasSize(7);
        assertThat(ofRange(Long.MIN_VALUE, 20)).hasSize(4);
        assertThat(ofRange(Long.MIN_VALUE, Long.MAX_VALUE)).hasSize(2);
    }
}
