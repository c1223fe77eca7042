package org.crabro.container.dispatch;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.crabro.protocol.wire.Deadline;

/**
 * The attempts of one request: some at once, then with growing pauses, until the deadline or for a
 * while, whichever is shorter.
 */
final class Attempts {
    /** For how long a request looks for a leader. A failover takes half of it at most. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** How long a node may take to reply. Then the others are asked. */
    static final Duration ATTEMPT = Duration.ofSeconds(3);

    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(10).toNanos();
    private static final long PAUSE_MAX_NANOS = Duration.ofMillis(200).toNanos();

    private final Deadline deadline;
    private final Deadline patience;
    private long pauseNanos = FIRST_PAUSE_NANOS;

    Attempts(Deadline deadline) {
        this(deadline, PATIENCE);
    }

    /**
     * @param patience for how long nodes are tried again
     */
    Attempts(Deadline deadline, Duration patience) {
        this.deadline = deadline;
        this.patience = Deadline.after(patience);
    }

    /** Returns when an attempt that begins now ends. */
    Deadline deadline() {
        return deadline.remaining().compareTo(ATTEMPT) <= 0
                ? deadline
                : new Deadline(System.nanoTime() + ATTEMPT.toNanos(), deadline.cancellation());
    }

    /** Waits before the nodes are tried again. Returns false if there is no time for that. */
    boolean pause() {
        long left = Math.min(deadline.remaining().toNanos(), patience.remaining().toNanos());
        if (left <= pauseNanos || deadline.hasPassed()) {
            return false;
        }
        LockSupport.parkNanos(pauseNanos);
        pauseNanos = Math.min(PAUSE_MAX_NANOS, 2 * pauseNanos);
        return !deadline.hasPassed() && !Thread.currentThread().isInterrupted();
    }
}
