package org.crabro.protocol.transport;

import java.util.concurrent.atomic.AtomicLong;

/** Bounds the total size of messages in memory. Safe for use by many threads. */
public final class ByteBudget {
    private final long max;
    private final AtomicLong taken = new AtomicLong();

    /**
     * @param max bytes
     */
    public ByteBudget(long max) {
        this.max = max;
    }

    /** Takes {@code bytes} if as many are free, and returns whether it did. */
    public boolean tryTake(long bytes) {
        long before = taken.get();
        while (before + bytes <= max) {
            if (taken.compareAndSet(before, before + bytes)) {
                return true;
            }
            before = taken.get();
        }
        return false;
    }

    /** Returns bytes that were taken. */
    public void release(long bytes) {
        taken.addAndGet(-bytes);
    }

    /** Returns how many bytes are taken. */
    public long taken() {
        return taken.get();
    }
}
