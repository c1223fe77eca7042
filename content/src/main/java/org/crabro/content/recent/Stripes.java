package org.crabro.content.recent;

import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.crabro.protocol.wire.Deadline;

/**
 * Locks by number, each shared by many or held by one. What is locked finds its number by a hash,
 * so two things may have one lock, and wait for each other for nothing where it is held by one.
 *
 * <p>First come, first served. A lock belongs to an operation and not to a thread: it is released
 * by whoever knows that the operation is over, also when the one who asked for it waits no more.
 */
final class Stripes {
    /** What those who share a lock leave to each other. */
    private static final int SHARES = 1 << 30;

    private final Semaphore[] locks;
    private final int bits;

    /**
     * @param bits there are two to the power of so many locks
     */
    Stripes(int bits) {
        this.bits = bits;
        this.locks = new Semaphore[1 << bits];
        Arrays.setAll(locks, _ -> new Semaphore(SHARES, true));
    }

    /** Returns the lock of what has a hash, which may be weak. */
    int of(int hash) {
        // Multiplied, so that all bits of a hash that is weak in some decide.
        return (int) ((hash * 0x9e37_79b9_7f4a_7c15L) >>> (Long.SIZE - bits));
    }

    /** Waits until nobody holds a lock alone; returns whether it is shared now. */
    boolean share(int stripe, Deadline deadline) {
        return acquire(stripe, 1, deadline);
    }

    void unshare(int stripe) {
        locks[stripe].release();
    }

    /** Waits until nobody has a lock; returns whether it is held alone now. */
    boolean hold(int stripe, Deadline deadline) {
        return acquire(stripe, SHARES, deadline);
    }

    void letGo(int stripe) {
        locks[stripe].release(SHARES);
    }

    private boolean acquire(int stripe, int permits, Deadline deadline) {
        try {
            // Nobody holds most of them: what time is left, and whether this thread was
            // interrupted,
            // is asked where somebody does. Who comes when others wait stands behind them.
            return (!locks[stripe].hasQueuedThreads() && locks[stripe].tryAcquire(permits))
                    || locks[stripe].tryAcquire(
                            permits, deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Waits until nobody holds one of the locks alone; returns whether all are shared, or none. */
    boolean share(int[] sorted, Deadline deadline) {
        for (int i = 0; i < sorted.length; i++) {
            if (!share(sorted[i], deadline)) {
                unshare(sorted, i);
                return false;
            }
        }
        return true;
    }

    void unshare(int[] shared) {
        unshare(shared, shared.length);
    }

    private void unshare(int[] shared, int count) {
        for (int i = 0; i < count; i++) {
            unshare(shared[i]);
        }
    }
}
