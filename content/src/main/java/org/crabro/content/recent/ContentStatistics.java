package org.crabro.content.recent;

/**
 * What a store holds, and its work since it was opened.
 *
 * @param held documents and tombstones
 * @param writes writes, and what they wait for
 * @param runs run files and their readers
 * @param merges flushes and merges
 */
public record ContentStatistics(
        HeldRows held, WriteTotals writes, RunTotals runs, MergeTotals merges) {
    /**
     * Documents and tombstones.
     *
     * @param documents about how many there are: a document of a run that was written again counts
     *     twice until its partition is flushed, and one that was removed counts until then
     * @param tombstones rows that remove a document or a group; one in a run stays after its
     *     document was written again
     * @param partitions that hold documents
     */
    public record HeldRows(long documents, long tombstones, int partitions) {}

    /**
     * Writes since the store was opened, and what they wait for.
     *
     * @param stored writes that were acknowledged
     * @param forces how often the journal was forced for them
     * @param waiting writes that wait for the journal
     * @param journalBytes of the journal that are not released
     * @param recentBytes memory of rows in no run, with their index and the blocks that readers
     *     made of them
     * @param isFeedBlocked whether puts are refused since disk or memory are above their limits
     */
    public record WriteTotals(
            long stored,
            long forces,
            int waiting,
            long journalBytes,
            long recentBytes,
            boolean isFeedBlocked) {}

    /**
     * Run files.
     *
     * @param count how many there are
     * @param bytes of all of them
     * @param tiers of runs, over all partitions: a search of everything reads all of them
     * @param deadRows rows that younger ones replace, or that were removed with their group
     * @param openViews views that a reader has not closed yet
     */
    public record RunTotals(long count, long bytes, long tiers, long deadRows, int openViews) {
        static final RunTotals NONE = new RunTotals(0, 0, 0, 0, 0);

        /** Returns the sum of both. */
        RunTotals plus(RunTotals other) {
            return new RunTotals(
                    count + other.count,
                    bytes + other.bytes,
                    tiers + other.tiers,
                    deadRows + other.deadRows,
                    openViews + other.openViews);
        }
    }

    /**
     * Flushes and merges since the store was opened.
     *
     * @param flushes how often a partition was flushed
     * @param flushedBytes of runs that flushes wrote
     * @param bytesRead of blocks that were merged
     * @param bytesWritten of runs that merges wrote
     */
    public record MergeTotals(long flushes, long flushedBytes, long bytesRead, long bytesWritten) {}

    /** Returns how many bytes flushes and merges wrote for each byte that was flushed. */
    public double writeAmplification() {
        return merges.flushedBytes == 0
                ? 0
                : (double) (merges.flushedBytes + merges.bytesWritten) / merges.flushedBytes;
    }

    /** Returns the share of rows in runs that are dead. */
    public double deadShare() {
        return runs.deadRows == 0
                ? 0
                : (double) runs.deadRows / (runs.deadRows + held.documents + held.tombstones);
    }
}
