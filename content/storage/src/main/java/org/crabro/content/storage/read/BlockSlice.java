package org.crabro.content.storage.read;

import java.util.Optional;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.index.BlockRows;

/**
 * The rows of a block that are in the requested range.
 *
 * @param from the first row
 * @param to the row after the last
 * @param dead hidden rows in between: replaced, removed, or a tombstone
 * @param matching the rows that an index found for the query; empty if all rows are searched
 */
public record BlockSlice(
        EncodedBlock block, int from, int to, DeadRows dead, Optional<BlockRows> matching) {
    /** A slice whose rows are all searched. */
    public BlockSlice(EncodedBlock block, int from, int to, DeadRows dead) {
        this(block, from, to, dead, Optional.empty());
    }

    /** Returns the number of rows that are not dead. */
    public int liveCount() {
        return to - from - dead.count(from, to);
    }

    /** Returns the rows of this from {@code first} to {@code end}, exclusive. */
    public BlockSlice part(int first, int end) {
        return new BlockSlice(block, first, end, dead, matching);
    }

    /** Returns this without further rows. */
    public BlockSlice without(DeadRows more) {
        return new BlockSlice(block, from, to, dead.and(more), matching);
    }

    /** Returns whether the rows are known to have no match. */
    public boolean isExcluded() {
        return matching.isPresent() && !matching.get().hasAny(from, to);
    }

    /** Returns whether all rows that an index found are known to match. */
    public boolean isDecided() {
        return matching.isPresent() && matching.get().isExact();
    }

    /** Returns whether an index has computed the scores of the rows that match. */
    public boolean isScored() {
        return matching.isPresent() && matching.get().matching().isScored();
    }

    /**
     * Writes the scores of rows that match, if they {@link #isScored are known}.
     *
     * @param rows in rising order
     */
    public void scores(int[] rows, int count, double[] into) {
        matching.orElseThrow().scores(rows, count, into);
    }

    /** Returns whether the words of the rows are counted already. */
    public boolean isCounted() {
        return matching.isPresent() && matching.get().matching().isCounted();
    }

    /**
     * Writes the live rows that may match, in rising order.
     *
     * @param into long enough for all rows of the slice
     * @return their number
     */
    public int candidates(int[] into) {
        return matching.isPresent()
                ? matching.get().live(from, to, dead, into)
                : dead.live(from, to, into);
    }
}
