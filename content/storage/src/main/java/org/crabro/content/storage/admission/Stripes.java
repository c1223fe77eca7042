package org.crabro.content.storage.admission;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.crabro.protocol.wire.Deadline;

/**
 * Locks by number, each shared by many operations or held by one. The number is computed from a
 * hash, so two objects may share a lock and wait for each other without need.
 *
 * <p>Locks are granted in the order of the requests. A lock belongs to an operation and not to a
 * thread: the thread that completes the operation releases it, even if the requesting thread no
 * longer waits.
 *
 * <p>A lock without waiters is a single {@code int}, because a batch acquires thousands.
 */
final class Stripes {
    /** The lock is held exclusively. The bits below count the shared holders. */
    private static final int ALONE = 1 << 30;

    /** Set while operations wait: new requests queue up, and a release serves the queue. */
    private static final int WAITED_FOR = Integer.MIN_VALUE;

    private final AtomicIntegerArray locks;
    private final int bits;

    /** The waiters of each lock, in their order. Guarded by itself. */
    private final Map<Integer, Deque<Waiter>> waiting = new HashMap<>();

    private static final class Waiter {
        private final boolean isAlone;
        private final Semaphore turn = new Semaphore(0);

        Waiter(boolean isAlone) {
            this.isAlone = isAlone;
        }
    }

    /**
     * @param bits the number of locks is two to the power of this
     */
    Stripes(int bits) {
        this.bits = bits;
        this.locks = new AtomicIntegerArray(1 << bits);
    }

    /** Returns the lock for a hash, which may be weak. */
    int of(int hash) {
        // Multiplied, so that all bits of a weak hash take part.
        return (int) ((hash * 0x9e37_79b9_7f4a_7c15L) >>> (Long.SIZE - bits));
    }

    /** Waits while the lock is held exclusively; returns whether it is shared now. */
    boolean share(int stripe, Deadline deadline) {
        return tryShare(stripe) || await(stripe, false, deadline);
    }

    private boolean tryShare(int stripe) {
        int state = locks.get(stripe);
        while ((state & (ALONE | WAITED_FOR)) == 0) {
            if (locks.compareAndSet(stripe, state, state + 1)) {
                return true;
            }
            state = locks.get(stripe);
        }
        return false;
    }

    void unshare(int stripe) {
        release(stripe, 1);
    }

    /** Waits until the lock is free; returns whether it is held exclusively now. */
    boolean hold(int stripe, Deadline deadline) {
        return locks.compareAndSet(stripe, 0, ALONE) || await(stripe, true, deadline);
    }

    void releaseOne(int stripe) {
        release(stripe, ALONE);
    }

    private void release(int stripe, int part) {
        int before = locks.getAndAdd(stripe, -part);
        assert (before & ~WAITED_FOR) >= part : "no operation holds lock " + stripe;
        if ((before & WAITED_FOR) != 0) {
            synchronized (waiting) {
                serve(stripe);
            }
        }
    }

    private boolean await(int stripe, boolean isAlone, Deadline deadline) {
        var waiter = new Waiter(isAlone);
        synchronized (waiting) {
            waiting.computeIfAbsent(stripe, _ -> new ArrayDeque<>()).add(waiter);
            // From here on new requests queue up. A release before this point did not serve the new
            // waiter, so serve it here.
            locks.accumulateAndGet(stripe, WAITED_FOR, (state, flag) -> state | flag);
            serve(stripe);
        }
        try {
            if (waiter.turn.tryAcquire(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
                return true;
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        synchronized (waiting) {
            Deque<Waiter> others = waiting.get(stripe);
            if (others == null || !others.remove(waiter)) {
                // The lock was granted at the last moment.
                return true;
            }
            serve(stripe);
            return false;
        }
    }

    /** Grants a lock to as many waiters as possible. Called under the lock of {@code waiting}. */
    private void serve(int stripe) {
        Deque<Waiter> waiters = waiting.get(stripe);
        if (waiters == null) {
            return;
        }
        while (!waiters.isEmpty() && take(stripe, waiters.getFirst().isAlone)) {
            waiters.removeFirst().turn.release();
        }
        if (waiters.isEmpty()) {
            waiting.remove(stripe);
            locks.accumulateAndGet(stripe, ~WAITED_FOR, (state, mask) -> state & mask);
        }
    }

    /** Acquires a lock that has waiters, if it is free. */
    private boolean take(int stripe, boolean isAlone) {
        while (true) {
            int state = locks.get(stripe);
            boolean isFree = isAlone ? state == WAITED_FOR : (state & ALONE) == 0;
            if (!isFree) {
                return false;
            }
            if (locks.compareAndSet(stripe, state, state + (isAlone ? ALONE : 1))) {
                return true;
            }
        }
    }

    /**
     * Shares locks if none requires a wait; returns true if all are shared, and false if none is.
     *
     * @param stripes in any order; a lock that occurs twice is shared twice
     */
    boolean tryShare(int[] stripes) {
        for (int i = 0; i < stripes.length; i++) {
            if (!tryShare(stripes[i])) {
                unshare(stripes, i);
                return false;
            }
        }
        return true;
    }

    /**
     * Waits until none of the locks is held exclusively; returns true if all are shared, and false
     * if none is.
     *
     * @param sorted distinct and ascending
     */
    boolean share(int[] sorted, Deadline deadline) {
        for (int i = 0; i < sorted.length; i++) {
            if (!share(sorted[i], deadline)) {
                unshare(sorted, i);
                return false;
            }
        }
        return true;
    }

    /**
     * Returns distinct locks in ascending order, the order in which operations that may wait
     * acquire them.
     */
    static int[] ordered(int[] stripes) {
        return Arrays.stream(stripes).sorted().distinct().toArray();
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
