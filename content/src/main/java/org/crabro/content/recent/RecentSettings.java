package org.crabro.content.recent;

import java.time.Duration;
import org.crabro.content.merge.CompactionSettings;

/**
 * Every bound of what a store accepts, keeps in memory and leaves on the disk, and what happens at
 * it.
 *
 * @param recentBytes recent documents above this are flushed, the largest partition first, as soon
 *     as nobody writes; at one and a half times as much, beside what is written; at twice as much,
 *     writers wait. At most {@link #RECENT_BYTES_MAX}
 * @param recentAge recent documents older than this are flushed, so that what they replace or
 *     remove can be erased in time
 * @param journal the journal's files and its queue
 * @param feed when writes are refused
 * @param compaction how runs are merged
 * @param overload what happens to writes when flushes cannot keep up
 */
public record RecentSettings(
        long recentBytes,
        Duration recentAge,
        JournalSettings journal,
        FeedLimits feed,
        CompactionSettings compaction,
        OverloadSettings overload) {
    /** Twice as much and what readers hold still have addresses. */
    public static final long RECENT_BYTES_MAX = RecentRows.BYTES_MAX;

    /** What a node uses unless told otherwise. */
    public static final RecentSettings DEFAULT =
            new RecentSettings(
                    256L << 20,
                    Duration.ofHours(24),
                    JournalSettings.DEFAULT,
                    FeedLimits.DEFAULT,
                    CompactionSettings.DEFAULT,
                    OverloadSettings.DEFAULT);

    public RecentSettings {
        if (recentBytes <= 0 || recentBytes > RECENT_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "recentBytes is %d, must be 1 to %d".formatted(recentBytes, RECENT_BYTES_MAX));
        }
        if (!recentAge.isPositive()) {
            throw new IllegalArgumentException("recentAge is %s".formatted(recentAge));
        }
    }

    /** Returns these settings with another budget for recent documents. */
    public RecentSettings withRecentBytes(long bytes) {
        return new RecentSettings(bytes, recentAge, journal, feed, compaction, overload);
    }

    /** Returns these settings with another age at which recent documents are flushed. */
    public RecentSettings withRecentAge(Duration age) {
        return new RecentSettings(recentBytes, age, journal, feed, compaction, overload);
    }

    /** Returns these settings with another journal. */
    public RecentSettings withJournal(JournalSettings other) {
        return new RecentSettings(recentBytes, recentAge, other, feed, compaction, overload);
    }

    /** Returns these settings with other limits for feeding. */
    public RecentSettings withFeed(FeedLimits other) {
        return new RecentSettings(recentBytes, recentAge, journal, other, compaction, overload);
    }

    /** Returns these settings with another way of merging runs. */
    public RecentSettings withCompaction(CompactionSettings other) {
        return new RecentSettings(recentBytes, recentAge, journal, feed, other, overload);
    }

    /** Returns these settings with another time that writers wait for flushes. */
    public RecentSettings withFlushWait(Duration wait) {
        return withOverload(new OverloadSettings(wait, overload.retryAfter()));
    }

    /** Returns these settings with another time after which writers may try again. */
    public RecentSettings withRetryAfter(Duration after) {
        return withOverload(new OverloadSettings(overload.flushWait(), after));
    }

    private RecentSettings withOverload(OverloadSettings other) {
        return new RecentSettings(recentBytes, recentAge, journal, feed, compaction, other);
    }
}
