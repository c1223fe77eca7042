package org.crabro.content.storage.store;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.content.storage.memtable.RecentBudget;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flushes partitions on its own threads. It flushes the largest partition while recent documents
 * are above their budget, the partition with the oldest journal record while the journal is above
 * its budget, and partitions with rows that are too old. Then it releases their journal records. If
 * merges are slower than flushes, flushes wait for merges, and then writers wait for flushes.
 *
 * <p>The excess above the budget decides how much flushing competes with writing:
 *
 * <ul>
 *   <li>below {@link #SOON}, a flush starts only after {@link #PAUSE_MILLIS} without a write, so
 *       that a burst of writes has all processors;
 *   <li>from {@link #SOON} on, one partition is flushed during writes;
 *   <li>from {@link #MUCH} on, a second partition is flushed at the same time. This limit is high
 *       because fewer flushes of a partition mean fewer merges.
 * </ul>
 */
final class Flusher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Flusher.class);

    private static final int THREADS = 2;

    /** If there are at least this many bytes, two threads flush all partitions. */
    private static final long SHARED_BYTES = 8 << 20;

    /** The excess, as a part of the budget, from which on flushes run during writes. */
    private static final double SOON = 0.5;

    /** The excess from which on two threads flush. */
    private static final double MUCH = 0.75;

    /** Without a write for this long, writers have paused. */
    private static final long PAUSE_MILLIS = 100;

    /** The interval at which it looks for old rows. */
    private static final long LOOK_MILLIS = 10_000;

    private final List<Partition> partitions;
    private final Shards shards;
    private final RecentBudget budget;
    private final RecentSettings settings;
    private final InstantSource clock;
    private final Compactor compactor;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong flushes = new AtomicLong();

    /** The number of threads that wait for a partition to flush. */
    private final AtomicInteger awaiting = new AtomicInteger();

    /** The number of threads that flush. */
    private final AtomicInteger flushing = new AtomicInteger();

    /** The time of the last write, by {@link System#nanoTime}. */
    private volatile long lastWrite = System.nanoTime();

    /** Why the last flush failed, until one succeeds. */
    private volatile @Nullable Throwable failure;

    /** Whether the waiting threads were notified that the budget is exceeded. */
    private volatile boolean isToldOfExcess;

    // The partitions that are being flushed. Guarded by this, as is the flag.
    private final Set<Partition> underWay = new HashSet<>();
    private boolean isClosing;

    Flusher(
            List<Partition> partitions,
            Shards shards,
            RecentBudget budget,
            RecentSettings settings,
            InstantSource clock,
            Compactor compactor) {
        this.partitions = partitions;
        this.shards = shards;
        this.budget = budget;
        this.settings = settings;
        this.clock = clock;
        this.compactor = compactor;
        for (int i = 0; i < THREADS; i++) {
            threads.add(Thread.ofPlatform().name("flush-" + i).unstarted(this::run));
        }
    }

    /** Releases the journal up to what an earlier process flushed, and starts the threads. */
    void start() {
        shards.releaseJournals();
        threads.forEach(Thread::start);
    }

    /**
     * Notes a write, and wakes the threads if a partition is to be flushed. Cheap if none is, or
     * all threads are busy.
     */
    void wake() {
        lastWrite = System.nanoTime();
        if (awaiting.get() > 0 && (isExcessNews() || isBudgetExceeded() || isJournalTooLong())) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    /** Returns whether the budget is exceeded and the waiting threads were not notified of that. */
    private boolean isExcessNews() {
        boolean isExceeded = budget.isExceeded();
        if (isExceeded == isToldOfExcess) {
            return false;
        }
        isToldOfExcess = isExceeded;
        return isExceeded;
    }

    /** Returns whether the excess requires one more flushing thread. */
    private boolean isBudgetExceeded() {
        return switch (flushing.get()) {
            case 0 ->
                    budget.isExceededBy(SOON)
                            || (budget.isExceeded() && millisSinceWrite() >= PAUSE_MILLIS);
            default -> budget.isExceededBy(MUCH);
        };
    }

    private long millisSinceWrite() {
        return (System.nanoTime() - lastWrite) / 1_000_000;
    }

    private boolean isJournalTooLong() {
        return shards.bytes() > settings.journal().bytes();
    }

    private void run() {
        try {
            while (awaitNeed()) {
                try {
                    Optional<Partition> next = claim();
                    if (next.isPresent()) {
                        flushClaimed(next.get());
                    } else {
                        flushOld();
                    }
                } catch (IOException | RuntimeException | Error e) {
                    // A large flush may succeed after other tasks have released memory.
                    failure = e;
                    LOG.error("A partition could not be flushed; the flush is retried", e);
                    pause();
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("this thread is never interrupted", e);
        }
    }

    /**
     * Waits until a partition is to be flushed, or the interval has passed; returns false when this
     * is closed.
     */
    private synchronized boolean awaitNeed() throws InterruptedException {
        long end = System.nanoTime() + LOOK_MILLIS * 1_000_000;
        long millis = LOOK_MILLIS;
        awaiting.incrementAndGet();
        while (!isClosing && millis > 0 && next().isEmpty()) {
            wait(budget.isExceeded() ? Math.min(millis, PAUSE_MILLIS) : millis);
            millis = (end - System.nanoTime()) / 1_000_000;
        }
        awaiting.decrementAndGet();
        return !isClosing;
    }

    private synchronized Optional<Partition> claim() {
        Optional<Partition> next = next();
        next.ifPresent(underWay::add);
        flushing.set(underWay.size());
        return next;
    }

    private void flushClaimed(Partition partition) throws IOException {
        try {
            compactor.makeRoom(partition);
            flush(partition);
        } finally {
            synchronized (this) {
                underWay.remove(partition);
                flushing.set(underWay.size());
                isToldOfExcess = false;
                notifyAll();
            }
        }
    }

    private synchronized void pause() throws InterruptedException {
        long end = System.nanoTime() + settings.overload().retryAfter().toNanos();
        long millis = settings.overload().retryAfter().toMillis();
        while (!isClosing && millis > 0) {
            wait(millis);
            millis = (end - System.nanoTime()) / 1_000_000;
        }
    }

    /**
     * Returns the partition to flush next; empty if none is to be flushed. Called under the lock of
     * this.
     */
    private Optional<Partition> next() {
        if (isBudgetExceeded()) {
            return next(partitions, Comparator.comparingLong(Partition::recentBytes).reversed());
        }
        // Positions of different journals cannot be compared.
        return isJournalTooLong() && underWay.isEmpty()
                ? next(
                        shards.longest().partitions(),
                        Comparator.comparingLong(Partition::firstRecent))
                : Optional.empty();
    }

    private Optional<Partition> next(List<Partition> among, Comparator<Partition> order) {
        return among.stream()
                .filter(partition -> !underWay.contains(partition))
                .filter(partition -> partition.recentBytes() > 0)
                .min(order);
    }

    /**
     * Flushes partitions with rows that are too old, and releases memory and files that are kept
     * for too long.
     */
    void flushOld() throws IOException {
        Instant now = clock.instant();
        for (Partition partition : partitions) {
            if (partition.hasRecentBefore(now.minus(settings.recentAge()))) {
                flush(partition);
            }
        }
        shards.trim(now);
        budget.rowMemory().trim();
    }

    /**
     * Flushes every partition now on the caller's thread, and deletes journal files above the
     * number that is kept for reuse. If there is much to flush, another thread helps: one flushes
     * while the other waits for the device.
     */
    void flushAll() throws IOException {
        flushPartitions();
        shards.trim(clock.instant());
    }

    private void flushPartitions() throws IOException {
        var left = new ConcurrentLinkedQueue<>(partitions);
        long bytes = partitions.stream().mapToLong(Partition::recentBytes).sum();
        if (bytes < SHARED_BYTES) {
            flushEach(left);
            return;
        }
        try (ExecutorService other =
                Executors.newSingleThreadExecutor(
                        Thread.ofPlatform().name("flush-all").factory())) {
            Future<?> others =
                    other.submit(() -> {
                        flushEach(left);
                        return null;
                    });
            flushEach(left);
            others.get();
        } catch (ExecutionException e) {
            throw new IOException("partitions could not be flushed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while partitions were flushed", e);
        }
    }

    /** After a failed flush, starts no other. */
    private void flushEach(Queue<Partition> left) throws IOException {
        boolean isDone = false;
        try {
            for (Partition next = left.poll(); next != null; next = left.poll()) {
                flush(next);
            }
            isDone = true;
        } finally {
            if (!isDone) {
                left.clear();
            }
        }
    }

    /** Flushes one partition now, on the caller's thread. */
    void flush(int partition) throws IOException {
        flush(partitions.get(partition));
    }

    private void flush(Partition partition) throws IOException {
        if (partition.flush()) {
            failure = null;
            flushes.incrementAndGet();
            compactor.wake();
            compactor.reportRuns();
        }
        shards.of(partition.number()).releaseJournal();
    }

    /** Returns why the last flush failed; empty after one succeeded. */
    Optional<String> failure() {
        return Optional.ofNullable(failure).map(Throwable::toString);
    }

    long flushes() {
        return flushes.get();
    }

    /** Waits for running flushes, and starts no others. */
    @Override
    public void close() {
        synchronized (this) {
            isClosing = true;
            notifyAll();
        }
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while flushing was closed", e);
        }
    }
}
