package org.crabro.content.recent;

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
import org.crabro.content.merge.CompactionPace;
import org.crabro.content.merge.CompactionSettings;
import org.crabro.content.merge.CompactionStep;
import org.crabro.protocol.wire.Deadline;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges runs on a thread of its own, a step at a time, first where a partition has most tiers.
 * While readers look into runs it writes no faster than it is told, unless a partition has so many
 * tiers that they would pay for them, or a flush waits for the end of a step.
 */
final class Compactor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Compactor.class);

    /** How often it looks for what grew old, and tries again what failed. */
    private static final long LOOK_MILLIS = 10_000;

    private static final long RETRY_NANOS = 60_000_000_000L;
    private static final Duration UNLIMITED = Duration.ofDays(365);

    private final List<Partition> partitions;
    private final CompactionSettings settings;
    private final Thread thread;
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder bytesWritten = new LongAdder();

    // Guarded by this.
    private boolean isClosing;
    private boolean isWoken;

    Compactor(List<Partition> partitions, CompactionSettings settings) {
        this.partitions = partitions;
        this.settings = settings;
        this.thread = Thread.ofPlatform().name("compact").unstarted(this::run);
    }

    void start() {
        if (settings.isAutomatic()) {
            thread.start();
        }
    }

    /** Says that there may be something to merge. */
    synchronized void wake() {
        isWoken = true;
        notifyAll();
    }

    private void run() {
        Map<Partition, Long> failed = new HashMap<>();
        try {
            while (await()) {
                boolean isDone = false;
                while (!isDone) {
                    isDone = !step(failed);
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("this thread is never interrupted", e);
        }
    }

    /** Returns when it was woken, or it is time to look; false where it is to end. */
    private synchronized boolean await() throws InterruptedException {
        long end = System.nanoTime() + LOOK_MILLIS * 1_000_000;
        long millis = LOOK_MILLIS;
        while (!isClosing && !isWoken && millis > 0) {
            wait(millis);
            millis = (end - System.nanoTime()) / 1_000_000;
        }
        isWoken = false;
        return !isClosing;
    }

    /**
     * Does one step where there is one to do and nobody to wait for, and returns whether there was.
     * Who is waited for says so when that is done, or merges everything itself.
     */
    private boolean step(Map<Partition, Long> failed) {
        List<Partition> order =
                partitions.stream()
                        .filter(partition -> !partition.isBusy())
                        .sorted(Comparator.comparingInt(Partition::tierCount).reversed())
                        .toList();
        for (Partition partition : order) {
            if (isClosing()) {
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
                LOG.error("Runs could not be merged; it is tried again in a minute", e);
            }
        }
        return false;
    }

    private boolean step(Partition partition, CompactionPace pace) throws IOException {
        Optional<CompactionStep> step = partition.compact(settings, pace);
        step.ifPresent(done -> {
            bytesRead.add(done.bytesRead());
            bytesWritten.add(done.bytesWritten());
        });
        return step.isPresent();
    }

    /** Merges on the caller's thread until no merge is due. */
    void compactAll() throws IOException {
        compactAll(Deadline.after(UNLIMITED), () -> false);
    }

    /**
     * Merges on the caller's thread until no merge is due or the deadline has passed. Partitions in
     * which another thread works come last.
     *
     * @param isClosing whether the step under way ends without a result
     * @throws IOException if a merge fails, or {@code isClosing}
     */
    void compactAll(Deadline deadline, BooleanSupplier isClosing) throws IOException {
        CompactionPace pace =
                (bytes, isUrgent) -> {
                    hurry(bytes, isUrgent);
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
                // Until nothing is left.
            }
        }
    }

    /**
     * Merges, on the caller's thread, until a partition has room for one more tier. Where merging
     * fails the flush is not to fail with it.
     */
    void makeRoom(Partition partition) {
        try {
            while (partition.tierCount() >= settings.tiersMax() && step(partition, this::hurry)) {
                // Until there is room.
            }
        } catch (InterruptedIOException _) {
            // Closing: what is recent is in the journal.
        } catch (IOException | RuntimeException | InternalError | OutOfMemoryError e) {
            LOG.error(
                    "Runs could not be merged; a partition gets more tiers than it is to have", e);
        }
    }

    private void hurry(long bytes, boolean isUrgent) throws IOException {
        if (isClosing()) {
            throw new InterruptedIOException("the store is closing");
        }
    }

    private void pace(long bytes, boolean isUrgent) throws IOException {
        hurry(bytes, isUrgent);
        try {
            pause(pauseMillis(bytes, isUrgent));
        } catch (InterruptedException e) {
            throw new IllegalStateException("this thread is never interrupted", e);
        }
    }

    /**
     * Returns how long to let readers go first after so many bytes.
     *
     * @param isUrgent whether a flush waits for the end of the step
     */
    long pauseMillis(long bytes, boolean isUrgent) {
        boolean isBehind =
                partitions.stream().anyMatch(each -> each.tierCount() >= settings.tiersUrgent());
        boolean isRead = partitions.stream().anyMatch(each -> each.openViews() > 0);
        return isRead && !isUrgent && !isBehind ? bytes * 1_000 / settings.bytesPerSecond() : 0;
    }

    private synchronized void pause(long millis) throws InterruptedException {
        long end = System.nanoTime() + millis * 1_000_000;
        long left = millis;
        while (!isClosing && left > 0) {
            wait(left);
            left = (end - System.nanoTime()) / 1_000_000;
        }
    }

    private synchronized boolean isClosing() {
        return isClosing;
    }

    /** Returns the bytes of blocks that were merged. */
    long bytesRead() {
        return bytesRead.sum();
    }

    /** Returns the bytes of files that came of merging. */
    long bytesWritten() {
        return bytesWritten.sum();
    }

    /** Stops a step under way, of which nothing is left, and begins no other. */
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
            throw new IllegalStateException("interrupted while merging was closed", e);
        }
    }
}
