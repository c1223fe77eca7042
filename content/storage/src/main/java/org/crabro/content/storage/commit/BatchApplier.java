package org.crabro.content.storage.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies durable batches of rows in their order and notifies the writers, while the journal makes
 * the next batch durable. If no rows wait to be made durable, the journal's own thread applies the
 * batch, so that a single write does not wait for another thread to wake.
 *
 * <p>While a batch is applied, one more can be queued; a caller with a third batch waits.
 */
final class BatchApplier implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BatchApplier.class);

    private static final String NOT_APPLIED = "durable rows could not be applied: ";

    private final Journal.Applier applier;
    private final Consumer<String> whenFailed;
    private final Thread thread;
    private volatile long applied;

    /** The error that ended the thread. */
    private volatile @Nullable Throwable ended;

    // Guarded by this.
    private @Nullable Batch next;
    private boolean isApplying;
    private boolean isClosing;
    private @Nullable String failure;

    /**
     * Durable rows.
     *
     * @param first position of the first row; the others follow it
     */
    private record Batch(long first, List<ProposedRows> proposals) {}

    /**
     * @param applied the position up to which rows are already applied
     * @param whenFailed receives the reason when a batch could not be applied; no later batch is
     *     applied then
     */
    BatchApplier(Journal.Applier applier, long applied, Consumer<String> whenFailed) {
        this.applier = applier;
        this.applied = applied;
        this.whenFailed = whenFailed;
        this.thread = Thread.ofPlatform().name("journal-apply").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Returns the position up to which all rows are applied. */
    long applied() {
        return applied;
    }

    /**
     * Applies rows now, or after the batches that were queued before. For one thread.
     *
     * @param first position of the first row
     * @param isUrgent whether the caller has other work and should not apply the rows itself
     */
    void apply(long first, List<ProposedRows> proposals, boolean isUrgent) {
        var batch = new Batch(first, proposals);
        String failed;
        synchronized (this) {
            while (next != null && failure == null && ended == null) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException("this thread is never interrupted", e);
                }
            }
            failed = failure == null ? endedBy().orElse(null) : failure;
            if (failed == null && (isUrgent || isApplying)) {
                next = batch;
                notifyAll();
                return;
            }
        }
        if (failed == null) {
            // All queued batches are applied, and only this thread queues batches.
            apply(batch);
        } else {
            fail(proposals, failed);
        }
    }

    private void apply(Batch batch) {
        long position = batch.first;
        for (ProposedRows proposal : batch.proposals) {
            applier.apply(proposal.partition(), position, proposal.rows());
            long first = position;
            position += proposal.rows().size();
            applied = position - 1;
            // This writer can prepare its next rows while the rows of other writers are applied.
            proposal.applied(first);
        }
    }

    private void run() {
        for (Batch batch = take(); batch != null; batch = take()) {
            try {
                apply(batch);
            } catch (RuntimeException | Error e) {
                // If memory is exhausted, each step may fail; the first one allocates nothing.
                ended = e;
                synchronized (this) {
                    notifyAll();
                }
                LOG.error("Durable rows could not be applied", e);
                fail(batch, NOT_APPLIED + e);
                return;
            }
        }
    }

    /** Returns the error that ended the thread; empty while it runs. */
    Optional<String> endedBy() {
        return Optional.ofNullable(ended).map(e -> NOT_APPLIED + e.getClass().getName());
    }

    /** Waits for a batch. Returns null after this is closed and all batches are applied. */
    private synchronized @Nullable Batch take() {
        isApplying = false;
        while (next == null && !isClosing) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException("this thread is never interrupted", e);
            }
        }
        Batch taken = next;
        next = null;
        isApplying = taken != null;
        notifyAll();
        return taken;
    }

    private void fail(Batch batch, String reason) {
        var failed = new ArrayList<>(batch.proposals);
        synchronized (this) {
            failure = reason;
            if (next != null) {
                failed.addAll(next.proposals);
                next = null;
            }
            notifyAll();
        }
        whenFailed.accept(reason);
        fail(failed, reason);
    }

    private static void fail(List<ProposedRows> proposals, String reason) {
        for (ProposedRows proposal : proposals) {
            proposal.failed(reason);
        }
    }

    /** Waits until all queued batches are applied. */
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
            throw new IllegalStateException("interrupted while rows were applied", e);
        }
    }
}
