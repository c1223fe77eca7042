package org.crabro.client.feed;

import java.time.Duration;

/**
 * Decides whether requests are sent to a server that does not answer.
 *
 * <p>It has no clock and no thread. Not thread-safe.
 */
final class CircuitBreaker {
    /** What is sent. */
    enum State {
        /** Everything. */
        CLOSED,
        /** One request at a time, to find out whether the server answers again. */
        HALF_OPEN,
        /** Nothing; operations fail at once, except one at intervals. */
        OPEN
    }

    private final long graceNanos;
    private final long openNanos;
    private boolean isFailing;
    private long failingSince;
    private long lastProbe;

    /**
     * @param grace the time without a success after which one request at a time is sent
     * @param open the time without a success after which operations fail
     */
    CircuitBreaker(Duration grace, Duration open) {
        this.graceNanos = grace.toNanos();
        this.openNanos = open.toNanos();
    }

    /** Records that a request was answered, even if with a refusal. */
    void answered() {
        isFailing = false;
    }

    /** Records that a request had no answer, or that the server said that it cannot serve. */
    void failed(long nowNanos) {
        if (!isFailing) {
            isFailing = true;
            failingSince = nowNanos;
            lastProbe = nowNanos;
        }
    }

    State state(long nowNanos) {
        if (!isFailing) {
            return State.CLOSED;
        }
        long nanos = nowNanos - failingSince;
        if (nanos >= openNanos) {
            return State.OPEN;
        }
        return nanos < graceNanos ? State.CLOSED : State.HALF_OPEN;
    }

    /** Returns whether an operation may try an open server, at most once in a grace time. */
    boolean mayProbe(long nowNanos) {
        if (nowNanos - lastProbe < graceNanos) {
            return false;
        }
        lastProbe = nowNanos;
        return true;
    }
}
