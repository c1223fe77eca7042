package org.crabro.content.recent;

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
 * Locks by number, each shared by many or held by one. What is locked finds its number by a hash,
 * so two things may have one lock, and wait for each other for nothing where it is held by one.
 *
 * <p>First come, first served. A lock belongs to an operation and not to a thread: it is released
 * by whoever knows that the operation is over, also when the one who asked for it waits no more.
 *
 * <p>A lock is a number, and nothing more as long as nobody waits for it: a batch takes thousands.
 */
final class Stripes {
    /** One holds it alone. Below are those who share it. */
    private static final int ALONE = 1 << 30;

    /** Somebody waits: who comes stands behind, and who goes looks after them. */
    private static final int WAITED_FOR = Integer.MIN_VALUE;

    private final AtomicIntegerArray locks;
    private final int bits;

    /** Guards itself, and what it holds: those who wait for a lock, in their order. */
    private final Map<Integer, Deque<Waiter>> waiting = new HashMap<>();

    private static final class Waiter {
        private final boolean isAlone;
        private final Semaphore turn = new Semaphore(0);

        Waiter(boolean isAlone) {
            this.isAlone = isAlone;
        }
    }

    /**
     * @param bits there are two to the power of so many locks
     */
    Stripes(int bits) {
        this.bits = bits;
        this.locks = new AtomicIntegerArray(1 << bits);
    }

    /** Returns the lock of what has a hash, which may be weak. */
    int of(int hash) {
        // Multiplied, so that all bits of a hash that is weak in some decide.
        return (int) ((hash * 0x9e37_79b9_7f4a_7c15L) >>> (Long.SIZE - bits));
    }

    /** Waits until nobody holds a lock alone; returns whether it is shared now. */
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

    /** Waits until nobody has a lock; returns whether it is held alone now. */
    boolean hold(int stripe, Deadline deadline) {
        return locks.compareAndSet(stripe, 0, ALONE) || await(stripe, true, deadline);
    }

    void letGo(int stripe) {
        release(stripe, ALONE);
    }

    private void release(int stripe, int part) {
        int before = locks.getAndAdd(stripe, -part);
        assert (before & ~WAITED_FOR) >= part : "nobody has lock " + stripe;
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
            // From here on nobody passes by; who let go before has not looked after this one.
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
                // It was this one's turn after all.
                return true;
            }
            serve(stripe);
            return false;
        }
    }

    /** Gives a lock to those who wait for it, as far as it goes. Under the lock of those. */
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

    /** Takes a lock that others wait for, if it can be had. */
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
     * Shares locks if nobody has to be waited for; returns whether all are shared, or none.
     *
     * @param stripes in any order; one that is there twice is shared twice
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
     * Waits until nobody holds one of the locks alone; returns whether all are shared, or none.
     *
     * @param sorted each once, and rising
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

    /** Returns locks, each once and rising, as who may wait for some of them has to take them. */
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
