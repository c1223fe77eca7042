package org.crabro.content.storage.merge;

import java.time.Duration;

/**
 * How runs are merged, and when removed documents are erased from the disk.
 *
 * @param isAutomatic whether a node starts merges itself; otherwise it merges only on request, or
 *     if there is no room for one more tier
 * @param fanOut the number of neighbouring tiers of similar size that are merged; at least 2
 * @param tiersMax a partition with this many tiers accepts no flush before some are merged; from
 *     half of it on, merges do not pause for readers
 * @param fileBytes a merged file ends after this many bytes, at the start of the next place
 * @param bytesPerSecond the maximum write rate of a node's merges while queries use its runs
 * @param removeRetention how long tombstones are kept
 * @param eraseWithin after this time, removed and replaced documents are erased from the disk
 */
public record CompactionSettings(
        boolean isAutomatic,
        int fanOut,
        int tiersMax,
        long fileBytes,
        long bytesPerSecond,
        Duration removeRetention,
        Duration eraseWithin) {
    /** The default settings of a node. */
    public static final CompactionSettings DEFAULT =
            new CompactionSettings(
                    true, 4, 32, 256L << 20, 32L << 20, Duration.ofDays(14), Duration.ofDays(30));

    public CompactionSettings {
        if (fanOut < 2 || tiersMax < 2 * fanOut || fileBytes <= 0 || bytesPerSecond <= 0) {
            throw new IllegalArgumentException(
                    "%d tiers are merged, of at most %d, into files of %d at %d bytes per second"
                            .formatted(fanOut, tiersMax, fileBytes, bytesPerSecond));
        }
        if (removeRetention.isNegative() || eraseWithin.compareTo(removeRetention) < 0) {
            throw new IllegalArgumentException(
                    "tombstones are kept for %s, and are to be erased within %s"
                            .formatted(removeRetention, eraseWithin));
        }
    }

    /** Returns these settings with or without automatic merges. */
    public CompactionSettings withAutomatic(boolean merges) {
        return new CompactionSettings(
                merges, fanOut, tiersMax, fileBytes, bytesPerSecond, removeRetention, eraseWithin);
    }

    /** Returns the number of tiers from which on merges are urgent. */
    public int tiersUrgent() {
        return tiersMax / 2;
    }

    /**
     * Returns the age from which on a run with dead rows is rewritten. A removed document stays in
     * memory and journal for up to a quarter of the time; then the run with the dead row is
     * rewritten, and then the run with the tombstone.
     */
    public Duration rewriteAge() {
        return eraseWithin.multipliedBy(3).dividedBy(8);
    }
}
