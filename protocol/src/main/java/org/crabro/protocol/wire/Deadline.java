package org.crabro.protocol.wire;

import java.time.Duration;

/**
 * The time after which the client ignores the reply. It is created once, at the HTTP edge, from
 * {@link System#nanoTime()}, and passed on. Between processes, only the remaining time is sent.
 *
 * @param nanos on the scale of {@link System#nanoTime()} of this process
 * @param cancellation whether the request was cancelled before that
 */
public record Deadline(long nanos, CancellationToken cancellation) {
    /** A deadline of a request that cannot be cancelled. */
    public Deadline(long nanos) {
        this(nanos, CancellationToken.NONE);
    }

    /** Returns a deadline {@code timeout} from now. */
    public static Deadline after(Duration timeout) {
        return new Deadline(System.nanoTime() + timeout.toNanos());
    }

    /** Returns the remaining time; zero after the deadline. */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
    }

    /** Returns whether no time is left, or the request was cancelled. */
    public boolean hasPassed() {
        return nanos - System.nanoTime() <= 0 || cancellation.isCancelled();
    }
}
