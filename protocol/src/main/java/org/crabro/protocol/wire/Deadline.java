package org.crabro.protocol.wire;

import java.time.Duration;

/**
 * The time at which an answer is of no more use. Made once, at the HTTP edge, from {@link
 * System#nanoTime()}, and handed down; between processes only what remains travels.
 *
 * @param nanos on the scale of {@link System#nanoTime()} of this process
 * @param cancellation whether the answer is of no use even before
 */
public record Deadline(long nanos, CancellationToken cancellation) {
    /** A deadline of a request that nothing cancels. */
    public Deadline(long nanos) {
        this(nanos, CancellationToken.NONE);
    }

    /** Returns the deadline {@code timeout} from now. */
    public static Deadline after(Duration timeout) {
        return new Deadline(System.nanoTime() + timeout.toNanos());
    }

    /** Returns what is left; zero once it has passed. */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
    }

    /** Returns whether no time is left, or the request was cancelled. */
    public boolean hasPassed() {
        return nanos - System.nanoTime() <= 0 || cancellation.isCancelled();
    }
}
