package org.crabro.client.process;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Decides how long a wait goes on: as long as something changes. A busy machine makes everything
 * slow, so a fixed time would end waits that are about to succeed.
 */
public final class ProgressWatch {
    /** The time without a change after which a wait ends. */
    public static final Duration UNCHANGED_MAX = Duration.ofMinutes(2);

    /**
     * The longest wait. A server that repeats the same failure changes its log each time, and would
     * be waited for without an end.
     */
    public static final Duration WAIT_MAX = Duration.ofMinutes(30);

    private final LongSupplier nanoTime;
    private final long begin;
    private Optional<Object> last = Optional.empty();
    private long changed;

    /**
     * Begins a wait.
     *
     * @param nanoTime as {@link System#nanoTime()}
     */
    public ProgressWatch(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.begin = nanoTime.getAsLong();
        this.changed = begin;
    }

    /** Begins a wait on the clock of the system. */
    public static ProgressWatch begin() {
        return new ProgressWatch(System::nanoTime);
    }

    /**
     * Returns why the wait ends; empty if it goes on.
     *
     * @param seen the state of what is waited for. A change is progress
     */
    public Optional<String> end(Object seen) {
        long now = nanoTime.getAsLong();
        if (!last.equals(Optional.of(seen))) {
            last = Optional.of(seen);
            changed = now;
        }
        if (now - changed > UNCHANGED_MAX.toNanos()) {
            return Optional.of("no progress for %d s".formatted(UNCHANGED_MAX.toSeconds()));
        }
        if (now - begin > WAIT_MAX.toNanos()) {
            return Optional.of("it is not done after %d s".formatted(WAIT_MAX.toSeconds()));
        }
        return Optional.empty();
    }
}
