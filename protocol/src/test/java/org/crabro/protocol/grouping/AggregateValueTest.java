package org.crabro.protocol.grouping;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import org.crabro.protocol.grouping.AggregateValue.RealAverage;
import org.crabro.protocol.grouping.AggregateValue.RealSum;
import org.crabro.protocol.grouping.AggregateValue.WholeAverage;
import org.crabro.protocol.grouping.AggregateValue.WholeSum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
}
