package org.crabro.content.merge;

import java.time.Duration;

/**
 * How runs are merged, and when what was removed is gone from the disk.
 *
 * @param isAutomatic whether a node merges by itself; otherwise only when it is told to, or when
 *     there is no room for one more tier
 * @param fanOut how many neighbouring tiers of about one size are merged; at least 2
 * @param tiersMax a partition with as many tiers takes no flush before some are merged; from half
 *     of it on merging yields to nobody
 * @param fileBytes a merged file ends behind as many bytes, where the next place begins
 * @param bytesPerSecond what one node writes at most, merging, while queries look into its runs
 * @param removeRetention how long tombstones are kept
 * @param eraseWithin after this time nothing is on the disk any more of what was removed or
 *     replaced
 */
public record CompactionSettings(
        boolean isAutomatic,
        int fanOut,
        int tiersMax,
        long fileBytes,
        long bytesPerSecond,
        Duration removeRetention,
        Duration eraseWithin) {
    /** What a node uses unless told otherwise. */
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

    /** Returns these settings with or without merging that nobody asks for. */
    public CompactionSettings withAutomatic(boolean merges) {
        return new CompactionSettings(
                merges, fanOut, tiersMax, fileBytes, bytesPerSecond, removeRetention, eraseWithin);
    }

    /** Returns how many tiers make merging urgent. */
    public int tiersUrgent() {
        return tiersMax / 2;
    }

    /**
     * Returns the age from which on a run is written again when rows in it are dead. What is
     * removed lies in memory and journal for up to a quarter of the time; then the run with the
     * dead row is rewritten, and then the one with the tombstone.
     */
    public Duration rewriteAge() {
        return eraseWithin.multipliedBy(3).dividedBy(8);
    }
}
