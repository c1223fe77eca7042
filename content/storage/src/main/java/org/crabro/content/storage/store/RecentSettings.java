package org.crabro.content.storage.store;

import java.time.Duration;
import org.crabro.content.storage.admission.FeedLimits;
import org.crabro.content.storage.commit.JournalSettings;
import org.crabro.content.storage.memtable.RecentRows;
import org.crabro.content.storage.merge.CompactionSettings;

/**
 * The limits for the writes, the memory and the disk space of a store, and the reaction to each.
 *
 * @param recentBytes the budget of recent documents. Above it, the largest partition is flushed
 *     first, as soon as writers pause; at one and a half times as much, during writes; at twice as
 *     much, writers wait. At most {@link #RECENT_BYTES_MAX}
 * @param recentAge recent documents older than this are flushed, so that the documents that they
 *     replace or remove can be erased in time
 * @param journal the journal's files and its queue
 * @param feed the limits above which writes are refused
 * @param compaction how runs are merged
 * @param overload the reaction to writes when flushes are too slow
 */
public record RecentSettings(
        long recentBytes,
        Duration recentAge,
        JournalSettings journal,
        FeedLimits feed,
        CompactionSettings compaction,
        OverloadSettings overload) {
    /** Rows of twice this size, and rows that readers hold, still have addresses. */
    public static final long RECENT_BYTES_MAX = RecentRows.BYTES_MAX;

    /** The default settings of a node. */
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

    /** Returns these settings with other limits for writes. */
    public RecentSettings withFeed(FeedLimits other) {
        return new RecentSettings(recentBytes, recentAge, journal, other, compaction, overload);
    }

    /** Returns these settings with other settings for merges. */
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
