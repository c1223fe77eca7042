package org.crabro.content.recent;

import java.time.Duration;

/** What the recent documents of all partitions cost, and who waits for them to become less. */
final class RecentBudget {
    /** The part of the limit that is kept as pages for rows that nobody uses. */
    private static final int KEPT_PART = 4;

    private final long limit;
    private final RowMemory rowMemory;
    private long bytes;
    private long held;
    private boolean isOver;

    /**
     * @param limit above which partitions are flushed; at twice as much, writers wait
     */
    RecentBudget(long limit) {
        this.limit = limit;
        this.rowMemory = new RowMemory(limit / KEPT_PART);
    }

    /** Returns where rows get memory. What it keeps that nobody uses is not counted here. */
    RowMemory rowMemory() {
        return rowMemory;
    }

    /** Says that so many bytes more are to be flushed one day, or fewer where negative. */
    synchronized void add(long more) {
        bytes += more;
        if (more < 0) {
            notifyAll();
        }
    }

    /** Says that {@code fewer} bytes were flushed. */
    void subtract(long fewer) {
        add(-fewer);
    }

    /** Says that so many bytes more are held by readers, though flushed, or fewer. */
    synchronized void addHeld(long more) {
        held += more;
        if (more < 0) {
            notifyAll();
        }
    }

    /** Returns the bytes in memory: those to be flushed, and those that readers still hold. */
    synchronized long bytes() {
        return bytes + held;
    }

    synchronized boolean isExceeded() {
        return bytes > limit;
    }

    /**
     * Returns whether it is exceeded by more than a part of it.
     *
     * @param part of the limit; at 1, writers wait
     */
    synchronized boolean isExceededBy(double part) {
        return bytes > limit + part * limit;
    }

    /** Lets nobody wait any more. */
    synchronized void end() {
        isOver = true;
        notifyAll();
    }

    /**
     * Waits until there is room for a write, at most {@code patience}; returns whether there is.
     */
    synchronized boolean awaitRoom(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (bytes + held >= 2 * limit && !isOver) {
            long millis = (end - System.nanoTime() + 999_999) / 1_000_000;
            if (millis <= 0) {
                return false;
            }
            try {
                wait(millis);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }
}
