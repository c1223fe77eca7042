package org.crabro.content.search.execution;

import java.util.function.BooleanSupplier;
import org.crabro.protocol.wire.CancellationToken;
import org.crabro.protocol.wire.Deadline;

/**
 * The time limits of one search. A search ends at its deadline, when its client cancels it, or when
 * the node stops.
 */
final class SearchDeadline {
    /** The time after the deadline for making a reply of the rows found before it. */
    private static final long GRACE_NANOS = 200_000_000;

    private final Deadline deadline;
    private final SearchResources.Clock clock;

    SearchDeadline(Deadline deadline, SearchResources.Clock clock) {
        this.deadline = deadline;
        this.clock = clock;
    }

    /** Returns the deadline as the request states it. */
    Deadline deadline() {
        return deadline;
    }

    /** Returns the time of the clock that deadlines are compared with, in nanoseconds. */
    long nanoTime() {
        return clock.nanoTime().getAsLong();
    }

    /** Returns the nanoseconds until the deadline; negative after it. */
    long nanosLeft() {
        return deadline.nanos() - nanoTime();
    }

    /** Returns a check of whether the search has to end. */
    BooleanSupplier isOver() {
        return isOver(Long.MAX_VALUE);
    }

    /**
     * Returns a check of whether a part of the search has to end.
     *
     * @param nanos the most time that the part may take from now on
     */
    BooleanSupplier isOver(long nanos) {
        long now = nanoTime();
        return isOver(now, Math.min(nanos, deadline.nanos() - now));
    }

    /** Returns a check of whether the search has to end even if only its reply is incomplete. */
    BooleanSupplier isOverdue() {
        long now = nanoTime();
        return isOver(now, Math.max(deadline.nanos() - now, 0) + GRACE_NANOS);
    }

    private BooleanSupplier isOver(long from, long nanos) {
        CancellationToken cancellation = deadline.cancellation();
        return () ->
                nanoTime() - from >= nanos || clock.stopping().get() || cancellation.isCancelled();
    }
}
