package org.crabro.content.search.group;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory limit for the groups of all searches of a node. Each search draws from it in chunks,
 * through its {@link GroupBudget}. Safe for use by many threads.
 */
public final class GroupMemory {
    /** The default limit is this share of the heap, a quarter. */
    private static final int HEAP_SHARE = 4;

    private final AtomicLong used = new AtomicLong();
    private final long max;

    /**
     * @param max in bytes
     */
    public GroupMemory(long max) {
        this.max = max;
    }

    /** Returns the default limit in bytes. */
    public static long bytesByDefault() {
        return Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    }

    /** Reserves bytes and returns true, unless the limit would be exceeded. */
    boolean tryTake(long bytes) {
        if (used.addAndGet(bytes) > max) {
            used.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    void giveBack(long bytes) {
        used.addAndGet(-bytes);
    }

    /** Returns the number of bytes that searches have reserved. */
    public long used() {
        return used.get();
    }

    long max() {
        return max;
    }
}
