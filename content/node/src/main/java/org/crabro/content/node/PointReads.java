package org.crabro.content.node;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.crabro.content.storage.block.ValueBudget;
import org.crabro.content.storage.block.ValueBudget.NoRoomException;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.document.DocumentId;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.document.memory.MemoryShare;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.wire.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Reads single documents. The caller's thread reads recent documents. Separate threads read runs,
 * because callers may be virtual threads and a mapping may wait for the disk.
 */
final class PointReads implements AutoCloseable {
    /** The maximum time that a read waits for other reads to release their values. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Smaller values are not charged; the number of reads bounds them. */
    private static final long UNCHARGED = 16 << 10;

    private final DocumentStore store;
    private final HeldValues values;
    private final ExecutorService threads;
    private final Semaphore places;
    private final LongAdder deviceBytes = new LongAdder();

    /**
     * @param values limits the held values of documents
     */
    PointReads(DocumentStore store, HeldValues values, int threads, int waiting) {
        this.store = store;
        this.values = values;
        this.threads =
                Executors.newFixedThreadPool(
                        threads, Thread.ofPlatform().name("read-", 0).factory());
        this.places = new Semaphore(threads + waiting);
    }

    /**
     * Returns the newest version of a document, which may be a tombstone.
     *
     * @param hold the caller closes it when it does not need the values any more
     * @throws TimeoutException if {@code deadline} passes first
     * @throws NoRoomException if other reads hold too much memory for longer than the patience
     */
    Optional<Row> newest(int partition, DocumentId id, Deadline deadline, ReadHold hold)
            throws TimeoutException, InterruptedException {
        return newest(partition, id, 0, deadline, hold);
    }

    /**
     * Returns the newest version of a document, as {@link #newest(int, DocumentId, Deadline,
     * ReadHold)} does, and reserves more memory.
     *
     * @param besides heap bytes of data that the caller makes in addition, even if there is no
     *     document
     */
    Optional<Row> newest(
            int partition, DocumentId id, long besides, Deadline deadline, ReadHold hold)
            throws TimeoutException, InterruptedException {
        var patience = Deadline.after(PATIENCE);
        MemoryShare memory = MemoryShare.current();
        var needed = new AtomicLong();
        while (true) {
            try {
                // Without waiting, because a holder of memory cannot wait for more.
                Optional<Row> newest =
                        newest(
                                partition,
                                id,
                                deadline,
                                bytes -> {
                                    needed.set(bytes + besides);
                                    if (bytes + besides > UNCHARGED) {
                                        memory.chargeNow(bytes + besides);
                                    }
                                    values.take(bytes + besides, hold);
                                });
                if (newest.isEmpty() && besides > UNCHARGED) {
                    memory.charge(besides);
                    values.take(besides, hold);
                }
                return newest;
            } catch (MemoryRefusedException e) {
                if (e.isTooLarge()) {
                    throw e;
                }
                // The threads that read do not wait; this one does.
                memory.charge(needed.get());
                memory.release(needed.get());
            } catch (NoRoomException e) {
                if (!values.await(e.bytes(), hold, shorter(deadline, patience))) {
                    throw e;
                }
            }
        }
    }

    private static Duration shorter(Deadline one, Deadline other) {
        Duration left = one.remaining();
        return left.compareTo(other.remaining()) < 0 ? left : other.remaining();
    }

    private Optional<Row> newest(int partition, DocumentId id, Deadline deadline, ValueBudget room)
            throws TimeoutException, InterruptedException {
        Optional<Row> recent = store.recent(partition, id, room);
        if (recent.isPresent()) {
            return recent;
        }
        if (!places.tryAcquire(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
            throw new TimeoutException("too many reads are waiting");
        }
        Future<Optional<Row>> read =
                threads.submit(() -> {
                    var device = new ReadContext();
                    try {
                        return store.newest(partition, id, device, room);
                    } finally {
                        deviceBytes.add(device.deviceBytes());
                        places.release();
                    }
                });
        try {
            return read.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw rethrown(e.getCause());
        }
    }

    /** Returns the bytes of pages that were read from the device since the start. */
    long deviceBytes() {
        return deviceBytes.sum();
    }

    private static RuntimeException rethrown(@Nullable Throwable cause) {
        return switch (cause) {
            case RuntimeException e -> e;
            case Error e -> throw e;
            case null, default -> new IllegalStateException(cause);
        };
    }

    /** Waits for running reads, whose callers may have stopped waiting. */
    @Override
    public void close() {
        threads.close();
    }
}
