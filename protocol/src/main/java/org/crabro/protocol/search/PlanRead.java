package org.crabro.protocol.search;

/**
 * What a search read from one place of a node.
 *
 * @param runs the number of run files; 0 for places in memory
 * @param blocks the number of blocks that were matched
 * @param skippedBlocks the number of blocks that cannot contain a match, and were not matched
 * @param rows the number of live rows in the matched blocks
 * @param bytes the size of the columns that were read, from memory or disk; for rows in part of a
 *     block, their share
 */
public record PlanRead(
        Place place, int runs, long blocks, long skippedBlocks, long rows, long bytes) {
    /** A place of documents. */
    public enum Place {
        /** Documents in memory that are in no run yet. */
        RECENT,
        /** Run files. */
        RUNS,
        /** Postings and quantized vectors of blocks in {@link #RUNS} that the node has cached. */
        CACHE
    }
}
