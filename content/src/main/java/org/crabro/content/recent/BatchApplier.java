package org.crabro.content.recent;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies batches of rows that are durable, one after another in their order, while the journal
 * makes the next one durable, and tells the writers. Where nothing else waits to be made durable
 * the journal's own thread does it: so a single write need not wait for another thread to wake.
 *
 * <p>While a batch is applied one more can be handed over; whoever has a third waits.
 */
final class BatchApplier implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BatchApplier.class);

    private static final String NOT_APPLIED = "durable rows could not be applied: ";

    private final Journal.Applier applier;
    private final Consumer<String> whenFailed;
    private final Thread thread;
    private volatile long applied;

    /** What ended the thread. */
    private volatile @Nullable Throwable ended;

    // Guarded by this.
    private @Nullable Batch next;
    private boolean isApplying;
    private boolean isClosing;
    private @Nullable String failure;

    /**
     * Rows that are durable.
     *
     * @param first position of the first row; the others follow on
     */
    private record Batch(long first, List<ProposedRows> proposals) {}

    /**
     * @param applied up to where rows are applied already
     * @param whenFailed is told why nothing is applied any more, when something that was handed
     *     over could not be
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

    /** Returns the position up to which every row is applied. */
    long applied() {
        return applied;
    }

    /**
     * Applies rows, now or when those handed over before are. Only for one thread.
     *
     * @param first position of the first row
     * @param isUrgent whether the caller has something else to do, and should not apply them itself
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
            // Nothing was handed over that is not applied: this is the only thread that does.
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
            // Who is told can make its next rows while those of others are applied.
            proposal.applied(first);
        }
    }

    private void run() {
        for (Batch batch = take(); batch != null; batch = take()) {
            try {
                apply(batch);
            } catch (RuntimeException | Error e) {
                // Without memory, each step may fail: the first one allocates nothing.
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

    /** Returns what ended the thread; empty while it runs. */
    Optional<String> endedBy() {
        return Optional.ofNullable(ended).map(e -> NOT_APPLIED + e.getClass().getName());
    }

    /** Waits for a batch; returns none when this is closed and all are applied. */
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

    /** Waits until all that was handed over is applied. */
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
