package org.crabro.content.storage.store;

/**
 * The content of a store, and its work since it was opened.
 *
 * @param held documents and tombstones
 * @param writes writes and their queues
 * @param runs run files and their readers
 * @param merges flushes and merges
 */
public record ContentStatistics(
        HeldRows held, WriteTotals writes, RunTotals runs, MergeTotals merges) {
    /**
     * Documents and tombstones.
     *
     * @param documents the approximate number of documents. Until its partition is flushed, a
     *     document of a run counts twice after it was written again, and once after it was removed
     * @param tombstones rows that remove a document or a group; a tombstone in a run counts even
     *     after its document was written again
     * @param partitions the number of partitions that hold documents
     */
    public record HeldRows(long documents, long tombstones, int partitions) {}

    /**
     * Writes since the store was opened, and their queues.
     *
     * @param stored the number of acknowledged writes
     * @param forces the number of times that the journal was forced for them
     * @param waiting the number of writes that wait for the journal
     * @param journalBytes the bytes of the journal that are not released
     * @param recentBytes memory of the rows that are in no run, with their index and the blocks
     *     that readers made of them
     * @param isFeedBlocked whether puts are refused because disk or memory is above its limit
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
     * @param count the number of run files
     * @param bytes their total size
     * @param tiers the number of tiers of runs in all partitions; a search without a group reads
     *     all of them
     * @param deadRows rows that newer rows replace, or that were removed with their group
     * @param openViews the number of views that readers have not closed yet
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
     * @param flushes the number of flushes
     * @param flushedBytes the bytes of runs that flushes wrote
     * @param bytesRead the bytes of blocks that were merged
     * @param bytesWritten the bytes of runs that merges wrote
     */
    public record MergeTotals(long flushes, long flushedBytes, long bytesRead, long bytesWritten) {}

    /** Returns the bytes that flushes and merges wrote per flushed byte. */
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
