package org.crabro.protocol.grouping;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.crabro.protocol.grouping.AggregateValue.RealAverage;
import org.crabro.protocol.grouping.AggregateValue.RealSum;
import org.crabro.protocol.grouping.AggregateValue.WholeAverage;
import org.crabro.protocol.grouping.AggregateValue.WholeSum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole numbers of one document type together with numbers of another that have fractions. */
class AggregateValueTest {
    private static final ExactSum HALF = new ExactSum(List.of(0.5));

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 1L << 53, (1L << 53) + 1, Long.MAX_VALUE, Long.MIN_VALUE})
    void addsSumsWithoutRounding(long whole) {
        AggregateValue expected = new RealSum(ExactSum.of(whole).plus(HALF));

        assertThat(new WholeSum(whole).plus(new RealSum(HALF)).result())
                .isEqualTo(expected.result());
        assertThat(new RealSum(HALF).plus(new WholeSum(whole)).result())
                .isEqualTo(expected.result());
        assertThat(ExactSum.of(whole).exact()).isEqualByComparingTo(BigDecimal.valueOf(whole));
    }

    @Test
    void averagesBoth() {
        var two = new WholeAverage(3, 2);
        var one = new RealAverage(HALF, 2);

        assertThat(two.plus(one).result()).isEqualTo(new GroupValue.Real(0.875));
        assertThat(one.plus(two).result()).isEqualTo(new GroupValue.Real(0.875));
    }

    /** NaN stands for a missing value, as the smallest whole number does. */
    @ParameterizedTest
    @CsvSource({"NaN,1.0", "NaN,-Infinity", "-1.0,1.0", "-Infinity,Infinity"})
    void ordersNaNBeforeEveryNumber(double smaller, double larger) {
        var less = new GroupValue.Real(smaller);
        var more = new GroupValue.Real(larger);

        assertThat(GroupValue.compare(less, more)).isNegative();
        assertThat(GroupValue.compare(more, less)).isPositive();
        assertThat(GroupValue.compare(less, less)).isZero();
        assertThat(least(less).plus(least(more)).result()).isEqualTo(less);
        assertThat(least(more).plus(least(less)).result()).isEqualTo(less);
        assertThat(greatest(less).plus(greatest(more)).result()).isEqualTo(more);
        assertThat(greatest(more).plus(greatest(less)).result()).isEqualTo(more);
        assertThat(GroupMath.greater(smaller, larger)).isEqualTo(larger);
        assertThat(GroupMath.greater(larger, smaller)).isEqualTo(larger);
    }

    private static AggregateValue least(GroupValue value) {
        return new AggregateValue.Least(
                Optional.of(value), new GroupValue.Real(Double.POSITIVE_INFINITY));
    }

    private static AggregateValue greatest(GroupValue value) {
        return new AggregateValue.Greatest(
                Optional.of(value), new GroupValue.Real(Double.NEGATIVE_INFINITY));
    }
}
