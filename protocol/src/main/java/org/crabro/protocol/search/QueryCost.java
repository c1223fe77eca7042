package org.crabro.protocol.search;

/**
 * The cost of a query on a node. Costs can be added.
 *
 * @param blocks blocks read
 * @param skippedBlocks blocks skipped because none of their rows can match
 * @param rows live rows tested
 * @param bytes bytes of the columns read, from memory or disk
 * @param deviceBytes bytes read from the disk, as far as known
 * @param cpuNanos processor time of the scanning threads; 0 without a trace
 */
public record QueryCost(
        long blocks, long skippedBlocks, long rows, long bytes, long deviceBytes, long cpuNanos) {
    /** The cost of an empty query. */
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
