package org.crabro.container.access;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many requests a principal may send: a token bucket, kept as the time at which it is full
 * again. Safe for use by many threads.
 */
final class RequestRate {
    private static final double NANOS = 1e9;

    private final double perSecond;
    private final long burst;
    private final long nanosEach;

    /** When all of the burst is free again, on the clock that {@link #take} gets; 0 before. */
    private final AtomicLong full = new AtomicLong(Long.MIN_VALUE);

    /**
     * @param perSecond above 0
     * @param burst the number of requests that are allowed at once, at least 1
     */
    RequestRate(double perSecond, long burst) {
        if (!(perSecond > 0) || burst < 1) {
            throw new IllegalArgumentException(perSecond + " requests per second, burst " + burst);
        }
        this.perSecond = perSecond;
        this.burst = burst;
        this.nanosEach = Math.max(1, (long) (NANOS / perSecond));
    }

    /**
     * Takes one request.
     *
     * @param now in nanoseconds
     * @return 0 where the request may go on; else the nanoseconds after which one may
     */
    long take(long now) {
        long room = (burst - 1) * nanosEach;
        while (true) {
            long seen = full.get();
            long from = seen == Long.MIN_VALUE || seen - now < 0 ? now : seen;
            if (from - now > room) {
                return from - now - room;
            }
            if (full.compareAndSet(seen, from + nanosEach)) {
                return 0;
            }
        }
    }

    /** Returns whether another rate has the same bounds. */
    boolean isLike(RequestRate other) {
        return perSecond == other.perSecond && burst == other.burst;
    }
}
