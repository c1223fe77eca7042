package org.crabro.ranking.onnx;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * The time until which runs of models wait for a free core, for the calls of one request. It is
 * bound to the calling thread, because expressions and embedders run models at any depth.
 */
public final class RunDeadline {
    /** The limit for work without a deadline. */
    static final Duration WAIT_MAX = Duration.ofSeconds(60);

    private static final ScopedValue<Long> NANOS = ScopedValue.newInstance();

    private RunDeadline() {}

    /**
     * Does some work, and returns its result.
     *
     * @param nanos on the scale of {@link System#nanoTime()}
     */
    public static <T> T within(long nanos, Supplier<T> work) {
        return ScopedValue.where(NANOS, nanos).call(work::get);
    }

    /** Returns the deadline of the calling thread. */
    static long nanos() {
        return NANOS.isBound() ? NANOS.get() : System.nanoTime() + WAIT_MAX.toNanos();
    }
}
