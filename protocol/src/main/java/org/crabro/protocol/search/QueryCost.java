package org.crabro.protocol.search;

/**
 * What a query cost a node. Costs add up.
 *
 * @param blocks blocks read
 * @param skippedBlocks blocks passed over, since nothing in them can match
 * @param rows live rows looked at
 * @param bytes bytes of the columns read, from memory or disk
 * @param deviceBytes bytes that were read from the disk for it, as far as known
 * @param cpuNanos processor time of the threads that scanned; 0 where no trace is asked for
 */
public record QueryCost(
        long blocks, long skippedBlocks, long rows, long bytes, long deviceBytes, long cpuNanos) {
    /** The cost of nothing. */
    public static final QueryCost NONE = new QueryCost(0, 0, 0, 0, 0, 0);

    /** Returns the sum. */
    public QueryCost plus(QueryCost that) {
        return new QueryCost(
                blocks + that.blocks,
                skippedBlocks + that.skippedBlocks,
                rows + that.rows,
                bytes + that.bytes,
                deviceBytes + that.deviceBytes,
                cpuNanos + that.cpuNanos);
    }
}
