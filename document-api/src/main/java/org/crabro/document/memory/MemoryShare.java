package org.crabro.document.memory;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The heap memory of the values of one request. Closing it releases all of it. Thread-safe.
 *
 * {@snippet :
 * try (MemoryShare share = memory.open()) {
 *     share.call(() -> answer(request));
 * }
 * }
 *
 * <p>Code that makes values charges the share of its thread: {@code
 * MemoryShare.current().charge(bytes)}. Another thread that works for the same request runs in
 * {@link #run} of the same share.
 */
public final class MemoryShare implements AutoCloseable {
    /** Code outside of requests has this share: nothing is counted. */
    public static final MemoryShare UNLIMITED = new MemoryShare(null, 0, null);

    private static final ScopedValue<MemoryShare> CURRENT = ScopedValue.newInstance();

    /** The memory of a process is asked for so many bytes at least. */
    private static final long STEP = 64 << 10;

    /** Null for {@link #UNLIMITED}. */
    private final @Nullable RequestMemory memory;

    private final long number;

    /** Guarded by this. */
    private long used;

    /** Guarded by this for writing. */
    private volatile long reserved;

    /** Guarded by this. */
    private boolean isClosed;

    /** The share of the whole request, if this is the share of a part. */
    private final @Nullable MemoryShare whole;

    /** Guarded by this. Few requests have parts. */
    private final Set<MemoryShare> parts = new HashSet<>(0);

    /** Guarded by this; empty for no end before {@link RequestMemory#WAIT}. */
    private Optional<Long> deadlineNanos = Optional.empty();

    MemoryShare(@Nullable RequestMemory memory, long number, @Nullable MemoryShare whole) {
        this.memory = memory;
        this.number = number;
        this.whole = whole;
    }

    /** Returns the share of the request that the current thread executes. */
    public static MemoryShare current() {
        return CURRENT.orElse(UNLIMITED);
    }

    /** Executes work whose values this share is charged for. */
    public void run(Runnable work) {
        ScopedValue.where(CURRENT, this).run(work);
    }

    /** Returns the result of work whose values this share is charged for. */
    public <T, X extends Throwable> T call(ScopedValue.CallableOp<? extends T, X> work) throws X {
        return ScopedValue.where(CURRENT, this).call(work);
    }

    /**
     * Returns the share of a part of the request, which ends earlier. The caller closes it; the end
     * of the request does so, too.
     */
    public MemoryShare part() {
        if (memory == null) {
            return UNLIMITED;
        }
        MemoryShare part = memory.open(this);
        synchronized (this) {
            if (!isClosed) {
                parts.add(part);
                return part;
            }
        }
        part.close();
        return part;
    }

    /**
     * Sets the time at which waiting for memory ends.
     *
     * @param nanoTime on the scale of {@link System#nanoTime()}
     */
    public synchronized void waitUntil(long nanoTime) {
        if (memory != null) {
            deadlineNanos = Optional.of(nanoTime);
        }
    }

    /**
     * Adds bytes of values that are made next. Waits if there is no room.
     *
     * @throws MemoryRefusedException if there is no room; nothing is added then
     */
    public void charge(long bytes) {
        charge(bytes, true);
    }

    /**
     * Adds bytes of values that are made next, without waiting. For threads that many requests
     * share.
     *
     * @throws MemoryRefusedException if there is no room; nothing is added then
     */
    public void chargeNow(long bytes) {
        charge(bytes, false);
    }

    private void charge(long bytes, boolean waits) {
        if (memory == null || bytes <= 0) {
            return;
        }
        synchronized (this) {
            long sum = used + bytes;
            if (isClosed) {
                return;
            }
            if (sum > reserved) {
                long target = (sum + STEP - 1) / STEP * STEP;
                memory.extend(this, reserved, target, waits ? endOfWaiting() : System.nanoTime());
                reserved = target;
            }
            used = sum;
        }
    }

    private long endOfWaiting() {
        long end = System.nanoTime() + RequestMemory.WAIT.toNanos();
        return deadlineNanos.isPresent() && deadlineNanos.get() - end < 0
                ? deadlineNanos.get()
                : end;
    }

    /** Subtracts bytes of values that are not used any more. */
    public synchronized void release(long bytes) {
        if (memory == null || isClosed) {
            return;
        }
        used = Math.max(0, used - bytes);
        long target = (used + STEP - 1) / STEP * STEP;
        if (reserved - target > STEP) {
            long freed = reserved - target;
            reserved = target;
            memory.release(freed, target);
        }
    }

    /** Returns the charged bytes. */
    public synchronized long bytes() {
        return used;
    }

    boolean hasMemory() {
        return reserved > 0;
    }

    long number() {
        return number;
    }

    @Override
    public void close() {
        if (memory == null) {
            return;
        }
        List<MemoryShare> open;
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            long freed = reserved;
            reserved = 0;
            used = 0;
            if (freed > 0) {
                memory.release(freed, 0);
            }
            open = List.copyOf(parts);
            parts.clear();
        }
        open.forEach(MemoryShare::close);
        if (whole != null) {
            whole.forget(this);
        }
    }

    private synchronized void forget(MemoryShare part) {
        parts.remove(part);
    }
}
