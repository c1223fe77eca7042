package org.crabro.content.storage.memtable;

import java.time.Duration;

/**
 * The memory of the recent documents of all partitions, and the writers that wait until it
 * decreases.
 */
public final class RecentBudget {
    /** The part of the limit that may be kept as unused pages for rows. */
    private static final int KEPT_PART = 4;

    /** The interval at which a wait looks at the clock. */
    private static final long LOOK_MILLIS = 100;

    private final long limit;
    private final RowMemory rowMemory;
    private long bytes;
    private long held;
    private boolean isOver;

    /**
     * @param limit bytes above which partitions are flushed; at twice as much, writers wait
     */
    public RecentBudget(long limit) {
        this.limit = limit;
        this.rowMemory = new RowMemory(limit / KEPT_PART);
    }

    /** Returns the memory for rows. Its unused pages are not counted here. */
    public RowMemory rowMemory() {
        return rowMemory;
    }

    /** Adds bytes that are to be flushed; negative to subtract. */
    synchronized void add(long more) {
        bytes += more;
        if (more < 0) {
            notifyAll();
        }
    }

    /** Subtracts bytes that were flushed. */
    public void subtract(long fewer) {
        add(-fewer);
    }

    /** Adds bytes that are flushed and still held by readers; negative to subtract. */
    synchronized void addHeld(long more) {
        held += more;
        if (more < 0) {
            notifyAll();
        }
    }

    /**
     * Returns the bytes in memory: bytes to be flushed, and flushed bytes that readers still hold.
     */
    public synchronized long bytes() {
        return bytes + held;
    }

    public synchronized boolean isExceeded() {
        return bytes > limit;
    }

    /**
     * Returns whether the limit is exceeded by more than a part of it.
     *
     * @param part of the limit; at 1, writers wait
     */
    public synchronized boolean isExceededBy(double part) {
        return bytes > limit + part * limit;
    }

    /** Ends all current and later waits. */
    public synchronized void end() {
        isOver = true;
        notifyAll();
    }

    /**
     * Waits for the memory of rows that must be applied: until there is room, or waits have ended.
     *
     * @param patience how long to wait for readers that hold flushed bytes; they have no bound
     */
    public synchronized void awaitRoomToApply(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        boolean isInterrupted = false;
        while (!isOver
                && (bytes >= 2 * limit
                        || (bytes + held >= 2 * limit && System.nanoTime() - end < 0))) {
            try {
                wait(LOOK_MILLIS);
            } catch (InterruptedException _) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits at most {@code patience} for the memory of a write; returns whether there is room. */
    public synchronized boolean awaitRoom(Duration patience) {
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
