package org.crabro.container.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestRateTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @ParameterizedTest
    @ValueSource(longs = {0, -5, Long.MAX_VALUE - 7, Long.MIN_VALUE + 3})
    void letsABurstPassAndThenARequestPerInterval(long start) {
        var rate = new RequestRate(2, 3);

        assertThat(rate.take(start)).isZero();
        assertThat(rate.take(start)).isZero();
        assertThat(rate.take(start)).isZero();
        assertThat(rate.take(start)).isEqualTo(SECOND / 2);
        assertThat(rate.take(start + SECOND / 2 - 1)).isEqualTo(1);
        assertThat(rate.take(start + SECOND / 2)).isZero();
        assertThat(rate.take(start + SECOND / 2)).isEqualTo(SECOND / 2);
    }

    @Test
    void savesNoMoreThanTheBurst() {
        var rate = new RequestRate(1, 2);
        rate.take(0);

        assertThat(rate.take(100 * SECOND)).isZero();
        assertThat(rate.take(100 * SECOND)).isZero();
        assertThat(rate.take(100 * SECOND)).isEqualTo(SECOND);
    }
}
