package org.crabro.content.read;

import org.crabro.content.block.Block;
import org.crabro.content.dead.DeadRows;

/**
 * The rows of a block that lie in the range asked for.
 *
 * @param from the first row
 * @param to the row after the last
 * @param dead rows in between that are not to be seen: replaced, removed, or a tombstone
 */
public record BlockSlice(Block block, int from, int to, DeadRows dead) {
    /** Returns how many rows are to be seen. */
    public int liveCount() {
        return to - from - dead.count(from, to);
    }
}
