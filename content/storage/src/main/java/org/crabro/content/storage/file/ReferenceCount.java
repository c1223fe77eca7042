package org.crabro.content.storage.file;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the references to a resource. The creator holds the first reference, and the owner frees
 * the resource when the last one is released. Safe for use by many threads.
 */
public final class ReferenceCount {
    private final AtomicInteger count = new AtomicInteger(1);

    /** Adds a reference; only for threads that already have one. */
    public void hold() {
        int before = count.getAndIncrement();
        assert before > 0;
    }

    /** Adds a reference; returns false if the last one was already released. */
    public boolean tryHold() {
        int expected = count.get();
        while (expected > 0) {
            int actual = count.compareAndExchange(expected, expected + 1);
            if (actual == expected) {
                return true;
            }
            expected = actual;
        }
        return false;
    }

    /** Removes a reference; returns whether it was the last. */
    public boolean release() {
        int left = count.decrementAndGet();
        assert left >= 0;
        return left == 0;
    }
}
