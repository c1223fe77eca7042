package org.crabro.content.storage.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.crabro.content.storage.merge.CompactionPace;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.content.storage.merge.CompactionStep;
import org.crabro.protocol.wire.Deadline;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges runs on one thread, a step at a time; the partition with the most tiers comes first. While
 * views are open it limits its write rate. There are two exceptions: a partition has {@link
 * CompactionSettings#tiersUrgent} tiers, which would slow its readers more, or a flush waits for
 * the end of a step.
 */
final class Compactor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Compactor.class);

    /** The interval at which it looks for old rows, and retries failed merges. */
    private static final long LOOK_MILLIS = 10_000;

    private static final long RETRY_NANOS = 60_000_000_000L;
    private static final Duration UNLIMITED = Duration.ofDays(365);

    private final List<Partition> partitions;
    private final CompactionSettings settings;
    private final WokenThread thread;
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder bytesWritten = new LongAdder();

    private volatile Runnable listener = () -> {};

    Compactor(List<Partition> partitions, CompactionSettings settings) {
        this.partitions = partitions;
        this.settings = settings;
        this.thread = new WokenThread("compact", this::run);
    }

    void start() {
        if (settings.isAutomatic()) {
            thread.start();
        }
    }

    /** Calls {@code told} whenever a run was added or merged. */
    void reportTo(Runnable told) {
        listener = told;
    }

    /** Reports that runs, or what is wanted of them, have changed. */
    void reportRuns() {
        listener.run();
    }

    /** Wakes the thread after a change that may require a merge. */
    void wake() {
        thread.wake();
    }

    private void run() throws InterruptedException {
        Map<Partition, Long> failed = new HashMap<>();
        while (thread.await(LOOK_MILLIS)) {
            boolean isDone = false;
            while (!isDone) {
                isDone = !step(failed);
            }
        }
    }

    /**
     * Does one step of a merge, if a partition needs one and is not busy. Returns whether it did. A
     * busy partition is woken later by the thread that uses it, or is merged by that thread.
     */
    private boolean step(Map<Partition, Long> failed) {
        List<Partition> order =
                partitions.stream()
                        .filter(partition -> !partition.isBusy())
                        .sorted(Comparator.comparingInt(Partition::tierCount).reversed())
                        .toList();
        for (Partition partition : order) {
            if (thread.isClosing()) {
                return false;
            }
            Long failedAt = failed.get(partition);
            if (failedAt != null && System.nanoTime() - failedAt < RETRY_NANOS) {
                continue;
            }
            try {
                if (step(partition, this::pace)) {
                    return true;
                }
                failed.remove(partition);
            } catch (InterruptedIOException _) {
                return false;
            } catch (IOException | RuntimeException | Error e) {
                failed.put(partition, System.nanoTime());
                LOG.error("Runs could not be merged; the merge is retried in a minute", e);
            }
        }
        return false;
    }

    private boolean step(Partition partition, CompactionPace pace) throws IOException {
        Optional<CompactionStep> step = partition.compact(settings, pace);
        step.ifPresent(done -> {
            bytesRead.add(done.bytesRead());
            bytesWritten.add(done.bytesWritten());
            reportRuns();
        });
        return step.isPresent();
    }

    /** Merges on the caller's thread until no merge is due. */
    void compactAll() throws IOException {
        compactAll(Deadline.after(UNLIMITED), () -> false);
    }

    /**
     * Merges on the caller's thread until no merge is due or the deadline has passed. Partitions
     * that another thread is merging or flushing come last.
     *
     * @param isClosing whether the current step ends without a result
     * @throws IOException if a merge fails, or {@code isClosing}
     */
    void compactAll(Deadline deadline, BooleanSupplier isClosing) throws IOException {
        CompactionPace pace =
                (bytes, isUrgent) -> {
                    paceUrgently(bytes, isUrgent);
                    if (isClosing.getAsBoolean()) {
                        throw new InterruptedIOException("the node is closing");
                    }
                };
        var left = new ArrayList<>(partitions);
        while (!left.isEmpty()) {
            Partition next =
                    left.stream()
                            .filter(partition -> !partition.isBusy())
                            .findFirst()
                            .orElse(left.getFirst());
            left.remove(next);
            while (!deadline.hasPassed() && step(next, pace)) {
                // Each call does one step; false means that no step is left.
            }
        }
    }

    /**
     * Merges on the caller's thread until a partition has room for one more tier. A failed merge is
     * logged and does not fail the flush.
     */
    void makeRoom(Partition partition) {
        try {
            while (partition.tierCount() >= settings.tiersMax()
                    && step(partition, this::paceUrgently)) {
                // Each call does one step.
            }
        } catch (InterruptedIOException _) {
            // The store is closing; recent rows are in the journal.
        } catch (IOException | RuntimeException | InternalError | OutOfMemoryError e) {
            LOG.error(
                    "Runs could not be merged; a partition exceeds its maximum number of tiers", e);
        }
    }

    private void paceUrgently(long bytes, boolean isUrgent) throws IOException {
        if (thread.isClosing()) {
            throw new InterruptedIOException("the store is closing");
        }
    }

    private void pace(long bytes, boolean isUrgent) throws IOException {
        paceUrgently(bytes, isUrgent);
        try {
            thread.pause(pauseMillis(bytes, isUrgent));
        } catch (InterruptedException e) {
            throw new IllegalStateException("this thread is never interrupted", e);
        }
    }

    /**
     * Returns how long to pause for readers after {@code bytes} were written.
     *
     * @param isUrgent whether a flush waits for the end of the step
     */
    long pauseMillis(long bytes, boolean isUrgent) {
        boolean isBehind =
                partitions.stream().anyMatch(each -> each.tierCount() >= settings.tiersUrgent());
        boolean isRead = partitions.stream().anyMatch(each -> each.openViews() > 0);
        return isRead && !isUrgent && !isBehind ? bytes * 1_000 / settings.bytesPerSecond() : 0;
    }

    /** Returns the bytes of blocks that were merged. */
    long bytesRead() {
        return bytesRead.sum();
    }

    /** Returns the bytes of the files that merges wrote. */
    long bytesWritten() {
        return bytesWritten.sum();
    }

    /** Stops the current step, discards its output, and starts no other. */
    @Override
    public void close() {
        thread.close();
    }
}
