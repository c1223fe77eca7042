package org.crabro.content.sidecar;

import org.apache.lucene.util.FixedBitSet;
import org.crabro.content.dead.DeadRows;

/** The rows of a section that an index found for a query. Not to be modified any more. */
public final class FoundRows {
    private final FixedBitSet rows;
    private final boolean isExact;

    /**
     * @param rows by the numbers of the index; dead rows may be among them
     * @param isExact whether all of them match; otherwise they include all rows that match
     */
    public FoundRows(FixedBitSet rows, boolean isExact) {
        this.rows = rows;
        this.isExact = isExact;
    }

    /** Returns whether every row that was found matches. */
    public boolean isExact() {
        return isExact;
    }

    /** Returns whether a row from {@code from} to {@code to}, exclusive, was found. */
    public boolean hasAny(int from, int to) {
        return from < to && rows.nextSetBit(from, to) < to;
    }

    /** Returns the number of rows that were found, dead ones included. */
    public int count() {
        return rows.cardinality();
    }

    /**
     * Returns the number of live rows of a block that were found.
     *
     * @param firstRow the number of the first row of the block
     */
    int count(int firstRow, int from, int to, DeadRows dead) {
        int count = rows.cardinality(firstRow + from, firstRow + to);
        int end = firstRow + to;
        int next = count == 0 || dead.isEmpty() ? end : rows.nextSetBit(firstRow + from, end);
        while (next < end) {
            count -= dead.has(next - firstRow) ? 1 : 0;
            next = next + 1 < end ? rows.nextSetBit(next + 1, end) : end;
        }
        return count;
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
