package org.crabro.container.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FrameRateTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final FrameRate rate = new FrameRate(now::get);

    @Test
    void refusesTheFrameAboveTheRateUntilTheSecondIsOver() {
        assertThat(accepted(FrameRate.FRAMES_PER_SECOND)).isEqualTo(FrameRate.FRAMES_PER_SECOND);
        assertThat(accepted(1)).isZero();

        now.addAndGet(TimeUnit.SECONDS.toNanos(1) - 1);
        assertThat(accepted(1)).isZero();

        now.incrementAndGet();
        assertThat(accepted(FrameRate.FRAMES_PER_SECOND)).isEqualTo(FrameRate.FRAMES_PER_SECOND);
        assertThat(accepted(1)).isZero();
    }

    private long accepted(int frames) {
        return IntStream.range(0, frames).filter(_ -> rate.onEvent("a frame")).count();
    }
}
