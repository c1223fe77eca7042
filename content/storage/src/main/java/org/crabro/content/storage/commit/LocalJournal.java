package org.crabro.content.storage.commit;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.crabro.content.storage.commit.Proposal.Outcome;
import org.crabro.content.storage.journal.LogRecord;
import org.crabro.content.storage.journal.SegmentedLog;
import org.crabro.protocol.feed.OperationId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal of a node without replicas. One thread takes all waiting rows, writes and forces them
 * as one batch, and passes them to a {@link BatchApplier}, which applies them and notifies the
 * writers. Rows that are proposed during a force are in the next batch.
 *
 * <p>A failed write or force ends it: the state of the device is unknown then, so no write is
 * acknowledged until the node restarts.
 */
public final class LocalJournal implements Journal {
    private static final Logger LOG = LoggerFactory.getLogger(LocalJournal.class);

    /** A batch accepts no more rows once it has this many bytes. */
    private static final int BATCH_BYTES = 1 << 20;

    private final SegmentedLog log;
    private final BatchApplier applier;
    private final JournalSettings settings;
    private final Thread thread;

    // The queue and its counts; guarded by this.
    private final Deque<ProposedRows> queue = new ArrayDeque<>();
    private int queuedRows;
    private long queuedBytes;
    private boolean isClosing;
    private @Nullable String failure;

    /** The error that ended the journal's thread. */
    private volatile @Nullable Throwable threadFailure;

    private final AtomicLong forces = new AtomicLong();

    /**
     * The only journal of a node without replicas.
     *
     * @param log already replayed; closed with the journal
     */
    public record Single(SegmentedLog log, JournalSettings settings) implements ShardJournals {
        @Override
        public int count() {
            return 1;
        }

        @Override
        public Journal start(int shard, Applier applier) {
            return LocalJournal.start(log, settings, applier);
        }
    }

    private LocalJournal(SegmentedLog log, JournalSettings settings, Applier applier) {
        this.log = log;
        this.applier =
                new BatchApplier(applier, log.nextNumber() - 1, reason -> fail(reason, List.of()));
        this.settings = settings;
        this.thread = Thread.ofPlatform().name("journal").unstarted(this::run);
    }

    /**
     * Starts the journal.
     *
     * @param log already replayed; closed with this
     */
    public static LocalJournal start(SegmentedLog log, JournalSettings settings, Applier applier) {
        var journal = new LocalJournal(log, settings, applier);
        journal.applier.start();
        journal.thread.start();
        return journal;
    }

    @Override
    public long term() {
        return 0;
    }

    @Override
    public Proposal current() {
        // Rows are acknowledged after they are applied.
        var current = new Proposal();
        current.complete(new Outcome.Applied(applied()));
        return current;
    }

    @Override
    public Optional<Outcome> outcome(OperationId operation) {
        return Optional.empty();
    }

    @Override
    public Optional<Proposal> propose(RowProposal proposed, Runnable whenDone) {
        List<byte[]> rows = proposed.rows();
        var waiting = new ProposedRows(proposed.partition(), rows, whenDone);
        String failed;
        synchronized (this) {
            failed = isClosing ? "the node is closing" : failure().orElse(null);
            if (failed == null) {
                if (!queue.isEmpty()
                        && (queuedRows + rows.size() > settings.waitingWrites()
                                || queuedBytes + waiting.bytes() > settings.waitingBytes())) {
                    return Optional.empty();
                }
                if (queue.isEmpty()) {
                    notifyAll();
                }
                queue.add(waiting);
                queuedRows += rows.size();
                queuedBytes += waiting.bytes();
            }
        }
        if (failed != null) {
            waiting.failed(failed);
        }
        return Optional.of(waiting.proposal());
    }

    @Override
    public synchronized <T> T together(Supplier<T> proposing) {
        return proposing.get();
    }

    private void run() {
        List<ProposedRows> batch = List.of();
        try {
            batch = take();
            while (!batch.isEmpty()) {
                commit(batch);
                batch = take();
            }
        } catch (RuntimeException | Error e) {
            // If memory is exhausted, each step may fail; the first one allocates nothing.
            threadFailure = e;
            LOG.error("The journal's thread ended", e);
            fail("the journal's thread ended: " + e, batch);
        }
    }

    /** Waits for rows. Returns an empty list after this is closed and all rows are done. */
    private synchronized List<ProposedRows> take() {
        while (queue.isEmpty() && !isClosing) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException("this thread is never interrupted", e);
            }
        }
        int limit = Math.min(BATCH_BYTES, log.recordBytesMax());
        var batch = new ArrayList<ProposedRows>();
        long bytes = 0;
        while (!queue.isEmpty()) {
            ProposedRows next = queue.getFirst();
            if (!batch.isEmpty() && bytes + next.bytes() > limit) {
                break;
            }
            bytes += next.bytes();
            queuedRows -= next.rows().size();
            queuedBytes -= next.bytes();
            batch.add(queue.removeFirst());
        }
        return batch;
    }

    private void commit(List<ProposedRows> batch) {
        long first;
        try {
            first = log.commit(records(batch));
        } catch (IOException e) {
            LOG.error("The journal failed: no more writes are acknowledged", e);
            // The message of some exceptions is only the path.
            fail(e instanceof FileSystemException ? e.toString() : "" + e.getMessage(), batch);
            return;
        }
        forces.incrementAndGet();
        applier.apply(first, batch, hasWaiting());
    }

    private synchronized boolean hasWaiting() {
        return !queue.isEmpty();
    }

    private static List<LogRecord> records(List<ProposedRows> batch) {
        var records = new ArrayList<LogRecord>();
        for (ProposedRows waiting : batch) {
            for (byte[] row : waiting.rows()) {
                records.add(JournalRecord.ofRow(waiting.partition(), row));
            }
        }
        return records;
    }

    private void fail(String reason, List<ProposedRows> batch) {
        List<ProposedRows> waiting = new ArrayList<>(batch);
        synchronized (this) {
            failure = reason;
            waiting.addAll(queue);
            queue.clear();
            queuedRows = 0;
            queuedBytes = 0;
        }
        for (ProposedRows each : waiting) {
            each.failed(reason);
        }
    }

    @Override
    public long applied() {
        return applier.applied();
    }

    @Override
    public void release(long position) {
        log.release(position);
    }

    @Override
    public void trim(Instant now) throws IOException {
        log.trim(
                settings.spareSegments(),
                now,
                now.minus(settings.spareAge()),
                JournalRecord.empty());
    }

    @Override
    public long bytes() {
        return log.bytes();
    }

    @Override
    public synchronized int waiting() {
        return queuedRows;
    }

    @Override
    public long forces() {
        return forces.get();
    }

    @Override
    public Optional<String> failure() {
        Throwable ended = threadFailure;
        synchronized (this) {
            if (failure != null) {
                return Optional.of(failure);
            }
        }
        return Optional.ofNullable(ended)
                .map(e -> "the journal's thread ended: " + e.getClass().getName())
                .or(applier::endedBy);
    }

    @Override
    public void close() {
        synchronized (this) {
            isClosing = true;
            notifyAll();
        }
        try {
            thread.join();
            applier.close();
            log.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the journal was closed", e);
        } catch (IOException e) {
            LOG.warn("The journal's files could not be closed", e);
        }
    }
}
