package org.crabro.content.read;

import org.crabro.content.block.Block;
import org.crabro.content.dead.DeadRows;

/**
 * The rows of a block that are in the requested range.
 *
 * @param from the first row
 * @param to the row after the last
 * @param dead hidden rows in between: replaced, removed, or a tombstone
 */
public record BlockSlice(Block block, int from, int to, DeadRows dead) {
    /** Returns the number of rows that are not dead. */
    public int liveCount() {
        return to - from - dead.count(from, to);
    }
}
