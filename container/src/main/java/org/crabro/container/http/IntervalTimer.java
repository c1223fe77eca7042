package org.crabro.container.http;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.cumulative.CumulativeTimer;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.HistogramGauges;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;

/** A timer that records the shortest, the longest and the last time of an interval. */
final class IntervalTimer extends CumulativeTimer {
    private final LongAccumulator shortest = new LongAccumulator(Math::min, Long.MAX_VALUE);
    private final LongAccumulator longest = new LongAccumulator(Math::max, 0);
    private volatile long last;

    /**
     * Times of one interval, in nanoseconds; {@code last} is from an earlier interval if this one
     * has no times.
     */
    record Extremes(long min, long max, long last) {}

    private IntervalTimer(
            Meter.Id id,
            Clock clock,
            DistributionStatisticConfig config,
            PauseDetector pauses,
            TimeUnit unit) {
        super(id, clock, config, pauses, unit, false);
    }

    /** Makes every timer one of these. */
    static final class Registry extends SimpleMeterRegistry {
        Registry() {
            super(SimpleConfig.DEFAULT, Clock.SYSTEM);
        }

        @Override
        protected Timer newTimer(
                Meter.Id id, DistributionStatisticConfig config, PauseDetector pauses) {
            // As in the superclass: percentiles are gauges that belong to their timer.
            var timer = new IntervalTimer(id, clock, config, pauses, getBaseTimeUnit());
            HistogramGauges.registerWithCommonFormat(timer, this);
            return timer;
        }
    }

    @Override
    protected void recordNonNegative(long amount, TimeUnit unit) {
        super.recordNonNegative(amount, unit);
        long nanos = unit.toNanos(amount);
        shortest.accumulate(nanos);
        longest.accumulate(nanos);
        last = nanos;
    }

    /**
     * Returns the extremes since the last call; a time recorded meanwhile is in this or the next
     * result.
     */
    Extremes takeExtremes() {
        long least = shortest.getThenReset();
        return new Extremes(least == Long.MAX_VALUE ? 0 : least, longest.getThenReset(), last);
    }
}
