package org.crabro.content.storage.admission;

import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import org.crabro.content.storage.journal.LogFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits writes while disk and memory are below their limits. After a refusal, puts are admitted
 * again when the use is one percent below the limit. It reads the free space after a number of
 * written bytes that decreases with the free space, and at every put while puts are refused. A
 * refused write is answered with {@code WriteReply.OutOfSpace}.
 */
public final class FeedBlock {
    private static final Logger LOG = LoggerFactory.getLogger(FeedBlock.class);
    private static final long BYTES_PER_CHECK = 8 << 20;
    private static final double HYSTERESIS = 0.01;

    private final LogFiles files;
    private final FeedLimits settings;
    private final DoubleSupplier memoryShare;
    private final AtomicLong bytesUntilCheck = new AtomicLong();

    // Guarded by this.
    private boolean isDiskFull;
    private boolean isMemoryFull;
    private FeedLimits limits;

    /**
     * @param memoryShare the share of the machine's memory that this process uses, 0 to 1, or NaN
     *     if it is unknown
     */
    public FeedBlock(LogFiles files, FeedLimits limits, DoubleSupplier memoryShare) {
        this.files = files;
        this.settings = limits;
        this.limits = limits;
        this.memoryShare = memoryShare;
    }

    /**
     * Sets other limits, from the next write on. An empty value restores that of the settings.
     *
     * @param diskShare applies regardless of the number of free bytes, unlike the share of the
     *     settings
     * @param memoryShare the share of the machine's memory
     */
    public synchronized void limit(OptionalDouble diskShare, OptionalDouble memoryShare) {
        FeedLimits changed = settings;
        if (diskShare.isPresent()) {
            changed = changed.withDisk(diskShare.getAsDouble(), Long.MAX_VALUE);
        }
        if (memoryShare.isPresent()) {
            changed = changed.withMemory(memoryShare.getAsDouble());
        }
        limits = changed;
        bytesUntilCheck.set(0);
    }

    /**
     * Returns why a write of {@code bytes} is refused; empty if it is admitted.
     *
     * @param isRemove removes are admitted above the limits, until half of the reserve is used
     */
    public Optional<String> refusal(long bytes, boolean isRemove) {
        if (bytesUntilCheck.addAndGet(-bytes) > 0) {
            return Optional.empty();
        }
        return ask(bytes, isRemove);
    }

    private synchronized Optional<String> ask(long bytes, boolean isRemove) {
        long free;
        OptionalLong total;
        try {
            free = files.freeBytes();
            total = files.totalBytes();
        } catch (IOException e) {
            return Optional.of("the free space of the disk is unknown: " + e.getMessage());
        }
        long reserved = isRemove ? limits.reservedBytes() / 2 : limits.reservedBytes();
        if (free - bytes < reserved) {
            return Optional.of(
                    "the disk has %,d bytes free, and %,d are kept for flushing and compaction"
                            .formatted(free, reserved));
        }
        Optional<String> full = disk(free, total).or(this::memory);
        if (full.isEmpty()) {
            // The journal rounds batches up, and fills files ahead.
            long left = Math.max(0, free - limits.reservedBytes());
            bytesUntilCheck.set(Math.min(BYTES_PER_CHECK, left / 8));
        }
        return isRemove ? Optional.empty() : full;
    }

    private Optional<String> disk(long free, OptionalLong total) {
        if (total.isEmpty() || free >= limits.diskFreeBytes()) {
            isDiskFull = tell("disk", isDiskFull, false);
            return Optional.empty();
        }
        double share = 1 - (double) free / Math.max(1, total.getAsLong());
        isDiskFull = tell("disk", isDiskFull, share > effective(limits.diskShare(), isDiskFull));
        return isDiskFull
                ? Optional.of(message("disk", share, limits.diskShare()))
                : Optional.empty();
    }

    private Optional<String> memory() {
        double share = memoryShare.getAsDouble();
        boolean isAbove = share > effective(limits.memoryShare(), isMemoryFull);
        isMemoryFull = tell("memory", isMemoryFull, isAbove);
        return isMemoryFull
                ? Optional.of(message("memory", share, limits.memoryShare()))
                : Optional.empty();
    }

    private static boolean tell(String resource, boolean before, boolean after) {
        if (after && !before) {
            LOG.warn("Documents are refused: the {} is above its limit", resource);
        } else if (before && !after) {
            LOG.info("Documents are accepted again: the {} is below its limit", resource);
        }
        return after;
    }

    private static double effective(double limit, boolean isFull) {
        return isFull ? limit - HYSTERESIS : limit;
    }

    private static String message(String resource, double share, double limit) {
        String effective =
                share > limit ? "" : ", effective limit " + percent(effective(limit, true));
        return "%s on node 0 is %s full (configured limit %s%s)"
                .formatted(resource, percent(share), percent(limit), effective);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f%%", 100 * share);
    }

    /** Returns why puts are refused now; empty while they are admitted. */
    public Optional<String> blocked() {
        return ask(0, false);
    }

    /** Returns why removes are refused now, and with them every write. */
    public Optional<String> full() {
        return ask(0, true);
    }
}
