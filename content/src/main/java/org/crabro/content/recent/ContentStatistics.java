package org.crabro.content.recent;

/**
 * How much a store did since it was opened, and holds.
 *
 * @param documents about how many there are: one that lies in a run and was written again since its
 *     partition was flushed counts twice, and one that was removed since then, alone or with its
 *     group, counts still
 * @param tombstones rows that say a document was removed, or a group; one in a run stays after its
 *     document was written again
 * @param partitions that hold documents
 * @param stored writes that were acknowledged
 * @param forces how often the journal was forced for them
 * @param waiting writes that wait for the journal
 * @param journalBytes of the journal that are not released
 * @param recentBytes what rows in no run take in memory, with their index and the blocks made of
 *     them for readers
 * @param flushes how often a partition was flushed
 * @param runs files that hold documents
 * @param runBytes how long these files are
 * @param tiers of runs, over all partitions: what a search of everything has to look into
 * @param deadRows rows in runs that younger ones replace, or that went with their group
 * @param flushedBytes what flushing wrote
 * @param compactionBytesRead of blocks that were merged
 * @param compactionBytesWritten of files that came of merging
 * @param openViews views that a reader has not closed yet
 * @param isFeedBlocked whether puts are refused since disk or memory are above their limits
 */
public record ContentStatistics(
        long documents,
        long tombstones,
        int partitions,
        long stored,
        long forces,
        int waiting,
        long journalBytes,
        long recentBytes,
        long flushes,
        long runs,
        long runBytes,
        long tiers,
        long deadRows,
        long flushedBytes,
        long compactionBytesRead,
        long compactionBytesWritten,
        int openViews,
        boolean isFeedBlocked) {
    /** Returns how often a byte was written, flushing and merging, for once that it was flushed. */
    public double writeAmplification() {
        return flushedBytes == 0
                ? 0
                : (double) (flushedBytes + compactionBytesWritten) / flushedBytes;
    }

    /** Returns the share of rows in runs that are dead. */
    public double deadShare() {
        return deadRows == 0 ? 0 : (double) deadRows / (deadRows + documents + tombstones);
    }
}
