package org.crabro.content.group;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that the groups of all searches of a node may take together. Each search draws from it
 * in chunks, through its {@link GroupBudget}. Safe for use by many threads.
 */
public final class GroupMemory {
    /** Groups may take a quarter of the heap unless settings say otherwise. */
    private static final int HEAP_SHARE = 4;

    private final AtomicLong used = new AtomicLong();
    private final long max;

    /**
     * @param max in bytes
     */
    public GroupMemory(long max) {
        this.max = max;
    }

    /** Returns how many bytes groups may take by default. */
    public static long bytesByDefault() {
        return Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    }

    /** Takes bytes, unless there are not as many left; returns whether it did. */
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

    /** Returns how many bytes searches have taken and not given back. */
    public long used() {
        return used.get();
    }

    long max() {
        return max;
    }
}
