package org.crabro.content.run;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the references to a resource. The creator holds the first reference, and the owner frees
 * the resource when the last one is released. Safe for use by many threads.
 */
public final class ReferenceCount {
    private final AtomicInteger count = new AtomicInteger(1);

    /** Counts one more; only who holds it already may. */
    public void hold() {
        int before = count.getAndIncrement();
        assert before > 0;
    }

    /** Counts one more, and returns whether it was not let go of already. */
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

    /** Counts one less, and returns whether that was the last. */
    public boolean release() {
        int left = count.decrementAndGet();
        assert left >= 0;
        return left == 0;
    }
}
