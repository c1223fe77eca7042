package org.crabro.ranking.onnx;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * The time until which runs of models wait for a free core, for the calls of one request. It is
 * bound to the calling thread, because expressions and embedders run models at any depth. A thread
 * that runs models for the requests of other threads binds the deadline of these requests.
 */
public final class RunDeadline {
    /** The limit for work without a deadline. */
    static final Duration WAIT_MAX = Duration.ofSeconds(60);

    private static final ScopedValue<Bound> BOUND = ScopedValue.newInstance();

    private record Bound(long nanos, Runnable started) {}

    private RunDeadline() {}

    /**
     * Does some work, and returns its result.
     *
     * @param nanos on the scale of {@link System#nanoTime()}
     */
    public static <T> T within(long nanos, Supplier<T> work) {
        return within(nanos, () -> {}, work);
    }

    /**
     * Does some work, and returns its result.
     *
     * @param nanos on the scale of {@link System#nanoTime()}
     * @param started called by this thread each time that a run has a core and begins
     */
    public static <T> T within(long nanos, Runnable started, Supplier<T> work) {
        return ScopedValue.where(BOUND, new Bound(nanos, started)).call(work::get);
    }

    /** Returns the deadline of the calling thread. */
    public static long nanos() {
        return BOUND.isBound() ? BOUND.get().nanos : System.nanoTime() + WAIT_MAX.toNanos();
    }

    /**
     * Returns the time until the deadline of the calling thread, which may be negative; at most
     * {@code most}, also if there is no deadline.
     */
    public static Duration remaining(Duration most) {
        if (!BOUND.isBound()) {
            return most;
        }
        Duration left = Duration.ofNanos(BOUND.get().nanos - System.nanoTime());
        return left.compareTo(most) < 0 ? left : most;
    }

    /** Reports the beginning of a run. */
    static void reportStart() {
        if (BOUND.isBound()) {
            BOUND.get().started.run();
        }
    }
}
