package org.crabro.content.storage.index;

import org.crabro.content.storage.dead.DeadRows;

/**
 * The rows of a block that an index found for a query.
 *
 * @param matching the rows of the section
 * @param firstRow the number of the first row of the block in the section
 */
public record BlockRows(MatchingRows matching, int firstRow) {
    /** Returns whether every row that was found matches. */
    public boolean isExact() {
        return matching.isExact();
    }

    /** Returns whether a row of the block was found, from {@code from} to {@code to}, exclusive. */
    public boolean hasAny(int from, int to) {
        return matching.hasAny(firstRow + from, firstRow + to);
    }

    /**
     * Writes the live rows of the block that were found, from {@code from} to {@code to},
     * exclusive.
     *
     * @param into receives them in rising order; long enough for all rows
     * @return their number
     */
    public int live(int from, int to, DeadRows dead, int[] into) {
        return matching.live(firstRow, from, to, dead, into);
    }

    /**
     * Writes the scores of rows of the block that were found with their scores.
     *
     * @param rows in rising order
     */
    public void scores(int[] rows, int count, double[] into) {
        matching.scores(firstRow, rows, count, into);
    }
}
