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
        int known = count.get();
        while (known > 0) {
            int found = count.compareAndExchange(known, known + 1);
            if (found == known) {
                return true;
            }
            known = found;
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
