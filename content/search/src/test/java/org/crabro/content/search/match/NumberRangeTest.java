package org.crabro.content.search.match;

import static org.assertj.core.api.Assertions.assertThat;

import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.RangeEnd.Real;
import org.crabro.protocol.query.RangeEnd.Unbounded;
import org.crabro.protocol.query.RangeEnd.Whole;
import org.junit.jupiter.api.Test;

class NumberRangeTest {
    private static final RangeEnd OPEN = new Unbounded();

    @Test
    void movesFractionsInwardsForWholeNumbers() {
        assertThat(wholes(new Real(1.5, true), new Real(3.5, true))).isEqualTo("2..3");
        assertThat(wholes(new Real(-1.5, false), new Real(-0.5, false))).isEqualTo("-1..-1");
        assertThat(wholes(new Real(2, false), new Real(4, false))).isEqualTo("3..3");
        assertThat(wholes(new Real(2, true), new Real(4, true))).isEqualTo("2..4");
        assertThat(wholes(new Real(0x1p60, false), new Real(0x1p61, false)))
                .isEqualTo(((1L << 60) + 1) + ".." + ((1L << 61) - 1));
    }

    @Test
    void roundsAFractionThatMustBeEqual() {
        assertThat(wholes(new Real(5.4, true), new Real(5.4, true))).isEqualTo("5..5");
        assertThat(wholes(new Real(-5.6, true), new Real(-5.6, true))).isEqualTo("-6..-6");
        assertThat(wholes(new Real(1e30, true), new Real(1e30, true))).isEqualTo("nothing");
    }

    @Test
    void keepsAllBitsOfLargeNumbers() {
        long large = (1L << 53) + 1;

        NumberRange range =
                NumberRange.between(new Whole(large, true), new Whole(Long.MAX_VALUE, true));

        assertThat(range.holds(large)).isTrue();
        assertThat(range.holds(large - 1)).isFalse();
        assertThat(range.holds(Long.MAX_VALUE)).isTrue();
        // The nearest double is smaller; the next one is the first in the range.
        assertThat(range.lowDouble()).isEqualTo(0x1p53 + 2);
    }

    @Test
    void isEmptyBeyondTheLargestNumbers() {
        assertThat(wholes(new Whole(Long.MAX_VALUE, false), OPEN)).isEqualTo("nothing");
        assertThat(wholes(OPEN, new Whole(Long.MIN_VALUE, false))).isEqualTo("nothing");
        assertThat(wholes(new Real(0x1p63, true), OPEN)).isEqualTo("nothing");
        assertThat(wholes(new Real(Double.POSITIVE_INFINITY, true), OPEN)).isEqualTo("nothing");
        assertThat(wholes(OPEN, new Real(-0x1p63, false))).isEqualTo("nothing");
        assertThat(wholes(OPEN, new Real(Double.POSITIVE_INFINITY, false)))
                .isEqualTo(Long.MIN_VALUE + ".." + Long.MAX_VALUE);
    }

    @Test
    void stepsByThePrecisionOfTheColumn() {
        NumberRange range = NumberRange.between(new Real(0.1, false), new Real(0.1, true));

        assertThat(range.lowFloat()).isEqualTo(Math.nextUp(0.1f));
        assertThat(range.highFloat()).isEqualTo(0.1f);
        assertThat(range.lowDouble()).isEqualTo(Math.nextUp(0.1));
        assertThat(range.highDouble()).isEqualTo(0.1);
    }

    @Test
    void holdsNoInfinityThatIsNotIncluded() {
        NumberRange range =
                NumberRange.between(new Real(Double.POSITIVE_INFINITY, false), new Unbounded());

        assertThat(range.lowDouble()).isNaN();
        assertThat(range.lowFloat()).isNaN();
    }

    @Test
    void readsNumbersAndRangesFromText() {
        assertThat(parsed("5")).isEqualTo("5..5");
        assertThat(parsed(" -7 ")).isEqualTo("-7..-7");
        assertThat(parsed("<5")).isEqualTo(Long.MIN_VALUE + "..4");
        assertThat(parsed(">5")).isEqualTo("6.." + Long.MAX_VALUE);
        assertThat(parsed("[1;9]")).isEqualTo("1..9");
        assertThat(parsed("<1;9>")).isEqualTo("2..8");
        assertThat(parsed("[1.5;9>")).isEqualTo("2..8");
        assertThat(parsed("[;9]")).isEqualTo(Long.MIN_VALUE + "..9");
        assertThat(parsed("[9;1]")).isEqualTo("nothing");
        assertThat(parsed("99999999999999999999")).isEqualTo("nothing");
        for (String text : new String[] {"", "five", "[1;2", "1;2", "[a;b]", "NaN", "<"}) {
            assertThat(NumberRangeParser.parse(text)).as(text).isEmpty();
        }
    }

    private static String parsed(String text) {
        return wholes(NumberRangeParser.parse(text).orElseThrow());
    }

    private static String wholes(RangeEnd low, RangeEnd high) {
        return wholes(NumberRange.between(low, high));
    }

    private static String wholes(NumberRange range) {
        return range.lowWhole() > range.highWhole()
                ? "nothing"
                : range.lowWhole() + ".." + range.highWhole();
    }
}
