package org.crabro.document.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The heap memory for the values of all requests of a process. Each request has a {@link
 * MemoryShare}, which is charged before values are made.
 *
 * <p>If there is no room, a request waits for at most {@link #WAIT}. It is refused afterwards. If
 * all requests that have memory wait, the newest of them is refused at once, so they do not wait
 * for each other. A request that needs more than three quarters of the memory never fits. The last
 * quarter is for requests with at most {@value #SMALL_BYTES} bytes. Thread-safe.
 */
public final class RequestMemory {
    /** A request with more than this is large. */
    public static final long SMALL_BYTES = 1 << 20;

    /** The longest time that a request waits for memory. */
    public static final Duration WAIT = Duration.ofSeconds(1);

    /** The part of the memory that large requests leave to small ones. */
    private static final int PART_FOR_SMALL = 4;

    /** Numerator and denominator of the share of the heap. */
    private static final int HEAP_PARTS = 2;

    private static final int HEAP_WHOLE = 5;

    private final long most;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();

    /** Guarded by the lock. */
    private final List<MemoryShare> waiting = new ArrayList<>();

    /** Guarded by the lock: the number of shares that have memory. */
    private int holders;

    /** Changed under the lock. */
    private final AtomicLong used = new AtomicLong();

    private final AtomicLong opened = new AtomicLong();
    private final LongAdder refused = new LongAdder();

    /**
     * @param most bytes of the values of all requests
     */
    public RequestMemory(long most) {
        if (most < 1) {
            throw new IllegalArgumentException("requests have %d bytes of memory".formatted(most));
        }
        this.most = most;
    }

    /** Returns the memory of a process that sets none: two fifths of the heap. */
    public static RequestMemory ofHeap(long heapBytes) {
        return new RequestMemory(bytesByDefault(heapBytes));
    }

    /** Returns the default size in bytes: two fifths of the heap. */
    public static long bytesByDefault(long heapBytes) {
        return heapBytes * HEAP_PARTS / HEAP_WHOLE;
    }

    /** Returns the share of a new request. The caller closes it. */
    public MemoryShare open() {
        return new MemoryShare(this, opened.incrementAndGet(), null);
    }

    MemoryShare open(MemoryShare whole) {
        return new MemoryShare(this, opened.incrementAndGet(), whole);
    }

    /** Returns the bytes of all requests together. */
    public long most() {
        return most;
    }

    /** Returns the most bytes of a single request. */
    public long mostOfOne() {
        return most - most / PART_FOR_SMALL;
    }

    /** Returns the bytes that requests have. */
    public long used() {
        return used.get();
    }

    /** Returns how many times a request was refused since the start. */
    public long refused() {
        return refused.sum();
    }

    /**
     * Extends the memory of a share.
     *
     * @param reserved bytes that it has
     * @param target bytes that it has afterwards
     * @param untilNanos end of waiting, on the scale of {@link System#nanoTime()}
     */
    void extend(MemoryShare share, long reserved, long target, long untilNanos) {
        if (target > mostOfOne()) {
            refused.increment();
            throw MemoryRefusedException.tooLarge(target, mostOfOne());
        }
        lock.lock();
        try {
            if (!fits(target - reserved, target)) {
                await(share, reserved, target, untilNanos);
            }
            used.addAndGet(target - reserved);
            if (reserved == 0) {
                holders++;
            }
        } finally {
            lock.unlock();
        }
    }

    private void await(MemoryShare share, long reserved, long target, long untilNanos) {
        waiting.add(share);
        boolean isInterrupted = false;
        try {
            while (!fits(target - reserved, target)) {
                long left = untilNanos - System.nanoTime();
                if (left <= 0 || isInterrupted || isNewestOfAll(share)) {
                    refused.increment();
                    throw MemoryRefusedException.busy(target, most);
                }
                try {
                    released.awaitNanos(left);
                } catch (InterruptedException _) {
                    isInterrupted = true;
                }
            }
        } finally {
            waiting.remove(share);
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns whether all shares with memory wait, and this one was opened last. */
    private boolean isNewestOfAll(MemoryShare share) {
        List<MemoryShare> holding = waiting.stream().filter(MemoryShare::hasMemory).toList();
        if (holding.isEmpty() || holding.size() < holders) {
            return false;
        }
        if (holding.stream().max(Comparator.comparingLong(MemoryShare::number)).get() == share) {
            return true;
        }
        // The newest one looks again.
        released.signalAll();
        return false;
    }

    private boolean fits(long more, long target) {
        long limit = target <= SMALL_BYTES ? most : mostOfOne();
        return used.get() + more <= limit;
    }

    /** Returns bytes of a share, which keeps {@code left}. */
    void release(long bytes, long left) {
        lock.lock();
        try {
            used.addAndGet(-bytes);
            if (left == 0) {
                holders--;
            }
            released.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
