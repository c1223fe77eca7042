package org.crabro.content.sidecar;

import java.util.Arrays;
import org.apache.lucene.util.FixedBitSet;
import org.crabro.content.dead.DeadRows;

/** The rows of a section that an index found for a query. Not to be modified any more. */
public final class FoundRows {
    private static final int[] NONE = {};
    private static final double[] NO_SCORES = {};

    private final FixedBitSet rows;
    private final boolean isExact;
    private final boolean isCounted;

    /** Rising, with their scores; empty without scores. */
    private final int[] scored;

    private final double[] scores;

    /**
     * @param rows by the numbers of the index; dead rows may be among them
     * @param isExact whether all of them match; otherwise they include all rows that match
     * @param isCounted whether the words of all rows of the section are counted already
     */
    public FoundRows(FixedBitSet rows, boolean isExact, boolean isCounted) {
        this.rows = rows;
        this.isExact = isExact;
        this.isCounted = isCounted;
        this.scored = NONE;
        this.scores = NO_SCORES;
    }

    /**
     * Rows that match, whose words are counted already, with their scores.
     *
     * @param scored the rows, rising
     * @param scores of the rows, in the same order
     * @param rowCount the number of rows of the section
     */
    public FoundRows(int[] scored, double[] scores, int rowCount) {
        this.rows = new FixedBitSet(rowCount);
        for (int row : scored) {
            rows.set(row);
        }
        this.isExact = true;
        this.isCounted = true;
        this.scored = scored;
        this.scores = scores;
    }

    /** Returns whether the scores of the rows are known. */
    public boolean isScored() {
        return scored.length > 0;
    }

    /**
     * Writes the scores of rows of a block that were found.
     *
     * @param firstRow the number of the first row of the block
     * @param ofBlock in rising order
     */
    void scores(int firstRow, int[] ofBlock, int count, double[] into) {
        for (int i = 0; i < count; i++) {
            into[i] = scores[Arrays.binarySearch(scored, firstRow + ofBlock[i])];
        }
    }

    /** Returns whether the words of all rows of the section are counted already. */
    public boolean isCounted() {
        return isCounted;
    }

    /** Returns whether every row that was found matches. */
    public boolean isExact() {
        return isExact;
    }

    /** Returns whether a row from {@code from} to {@code to}, exclusive, was found. */
    public boolean hasAny(int from, int to) {
        return from < to && rows.nextSetBit(from, to) < to;
    }

    /**
     * Writes the live rows of a block that were found, in rising order.
     *
     * @param firstRow the number of the first row of the block
     * @param from the first row in the block
     * @param to the end of the rows in the block, exclusive
     * @param dead rows of the block that are left out
     * @param into long enough for all rows
     * @return their number
     */
    int live(int firstRow, int from, int to, DeadRows dead, int[] into) {
        int count = 0;
        if (from >= to) {
            return 0;
        }
        int end = firstRow + to;
        if (dead.isEmpty()) {
            return rows.intoArray(firstRow + from, end, -firstRow, into);
        }
        int next = rows.nextSetBit(firstRow + from, end);
        while (next < end) {
            int row = next - firstRow;
            into[count] = row;
            count += dead.has(row) ? 0 : 1;
            next = next + 1 < end ? rows.nextSetBit(next + 1, end) : end;
        }
        return count;
    }
}
