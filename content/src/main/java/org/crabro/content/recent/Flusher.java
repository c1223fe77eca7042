package org.crabro.content.recent;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flushes partitions on a thread of its own: the largest while recent documents are above their
 * budget, the one that keeps the journal longest while the journal is above its, and those with
 * rows that are too old. Releases the journal behind what is flushed. Where merging cannot keep up
 * with flushing, flushing waits for it, and then writers do.
 */
final class Flusher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Flusher.class);

    /** How often it looks for what is old. */
    private static final long LOOK_MILLIS = 10_000;

    private final List<Partition> partitions;
    private final Journal journal;
    private final RecentBudget budget;
    private final RecentSettings settings;
    private final InstantSource clock;
    private final Compactor compactor;
    private final Thread thread;
    private final AtomicLong flushes = new AtomicLong();

    /** One flush at a time, whoever asks for it. */
    private final Object flushing = new Object();

    // Guarded by this.
    private boolean isClosing;

    Flusher(
            List<Partition> partitions,
            Journal journal,
            RecentBudget budget,
            RecentSettings settings,
            InstantSource clock,
            Compactor compactor) {
        this.partitions = partitions;
        this.journal = journal;
        this.budget = budget;
        this.settings = settings;
        this.clock = clock;
        this.compactor = compactor;
        this.thread = Thread.ofPlatform().name("flush").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Says that there may be something to flush. Cheap where there is not. */
    void wake() {
        if (isNeeded()) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    private boolean isNeeded() {
        return budget.isExceeded() || isJournalTooLong();
    }

    private boolean isJournalTooLong() {
        return journal.bytes() > settings.journal().bytes();
    }

    private void run() {
        try {
            while (awaitNeed()) {
                try {
                    if (isNeeded()) {
                        Optional<Partition> next = next();
                        next.ifPresent(compactor::makeRoom);
                        flush(next);
                    } else {
                        flushOld();
                    }
                } catch (IOException | RuntimeException e) {
                    LOG.error("A partition could not be flushed; it is tried again", e);
                    pause();
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts this thread", e);
        }
    }

    /** Returns where something is to be flushed, or it is time to look for what is old. */
    private synchronized boolean awaitNeed() throws InterruptedException {
        long end = System.nanoTime() + LOOK_MILLIS * 1_000_000;
        long millis = LOOK_MILLIS;
        while (!isClosing && millis > 0 && !(isNeeded() && next().isPresent())) {
            wait(millis);
            millis = (end - System.nanoTime()) / 1_000_000;
        }
        return !isClosing;
    }

    private synchronized void pause() throws InterruptedException {
        long end = System.nanoTime() + settings.retryAfter().toNanos();
        long millis = settings.retryAfter().toMillis();
        while (!isClosing && millis > 0) {
            wait(millis);
            millis = (end - System.nanoTime()) / 1_000_000;
        }
    }

    /** Returns the partition to flush, or nothing where none has recent rows. */
    private Optional<Partition> next() {
        Comparator<Partition> order =
                budget.isExceeded()
                        ? Comparator.comparingLong(Partition::recentBytes).reversed()
                        : Comparator.comparingLong(Partition::firstRecent);
        return partitions.stream().filter(partition -> partition.recentBytes() > 0).min(order);
    }

    /** Flushes partitions with rows that are too old, and trims the journal. */
    void flushOld() throws IOException {
        Instant now = clock.instant();
        for (Partition partition : partitions) {
            if (partition.hasRecentBefore(now.minus(settings.recentAge()))) {
                flush(Optional.of(partition));
            }
        }
        journal.trim(now);
    }

    /** Flushes every partition now, on the caller's thread. */
    void flushAll() throws IOException {
        for (Partition partition : partitions) {
            flush(Optional.of(partition));
        }
    }

    /** Flushes one partition now, on the caller's thread. */
    void flush(int partition) throws IOException {
        flush(Optional.of(partitions.get(partition)));
    }

    private void flush(Optional<Partition> partition) throws IOException {
        if (partition.isEmpty()) {
            return;
        }
        synchronized (flushing) {
            if (partition.get().flush()) {
                flushes.incrementAndGet();
                compactor.wake();
            }
            releaseJournal();
        }
    }

    private void releaseJournal() {
        // Rows that are durable and not applied yet are recent in no partition: ask first how far
        // rows are applied, and then what is recent.
        long needed = journal.applied() + 1;
        for (Partition partition : partitions) {
            needed = Math.min(needed, partition.firstRecent());
        }
        journal.release(needed - 1);
    }

    long flushes() {
        return flushes.get();
    }

    /** Waits for a flush under way, and begins no other. */
    @Override
    public void close() {
        synchronized (this) {
            isClosing = true;
            notifyAll();
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while flushing was closed", e);
        }
    }
}
