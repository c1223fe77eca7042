package org.crabro.content.storage.index;

import java.util.Arrays;
import java.util.Objects;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.FixedBitSet;
import org.crabro.content.storage.dead.DeadRows;
import org.jspecify.annotations.Nullable;

/** The rows of a section that an index found for a query. Not to be modified any more. */
public final class MatchingRows {
    private static final double[] NO_SCORES = {};

    /** One bit per row of the section; null if {@link #few} has the rows. */
    private final @Nullable FixedBitSet bits;

    /** Rising; null if there are many. */
    private final int @Nullable [] few;

    /** Of {@link #few}, in the same order; empty without scores. */
    private final double[] scores;

    private final boolean isExact;
    private final boolean isCounted;

    private MatchingRows(
            @Nullable FixedBitSet bits,
            int @Nullable [] few,
            double[] scores,
            boolean isExact,
            boolean isCounted) {
        this.bits = bits;
        this.few = few;
        this.scores = scores;
        this.isExact = isExact;
        this.isCounted = isCounted;
    }

    /**
     * Returns the rows of a set.
     *
     * @param rows by the numbers of the index; dead rows may be among them
     * @param isExact whether all of them match; otherwise they include all rows that match
     * @param isCounted whether the words of all rows of the section are counted already
     */
    public static MatchingRows of(RowSet rows, boolean isExact, boolean isCounted) {
        int[] few = rows.few().orElse(null);
        FixedBitSet bits = few == null ? rows.toBits() : null;
        return new MatchingRows(bits, few, NO_SCORES, isExact, isCounted);
    }

    /**
     * Returns rows that match, whose words are counted already, with their scores.
     *
     * @param rows rising
     * @param scores of the rows, in the same order
     */
    public static MatchingRows scored(int[] rows, double[] scores) {
        return new MatchingRows(null, rows, scores, true, true);
    }

    /** Returns whether the scores of the rows are known. */
    public boolean isScored() {
        return scores.length > 0;
    }

    /**
     * Writes the scores of rows of a block that were found.
     *
     * @param firstRow the number of the first row of the block
     * @param ofBlock in rising order
     */
    void scores(int firstRow, int[] ofBlock, int count, double[] into) {
        for (int i = 0; i < count; i++) {
            into[i] =
                    scores[Arrays.binarySearch(Objects.requireNonNull(few), firstRow + ofBlock[i])];
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

    /**
     * Returns the first row that was found from a row on; larger than all rows if there is none.
     */
    public int next(int row) {
        if (bits != null) {
            return bits.nextSetBit(row);
        }
        int index = index(row);
        int[] rows = Objects.requireNonNull(few);
        return index < rows.length ? rows[index] : DocIdSetIterator.NO_MORE_DOCS;
    }

    /** Returns the index in {@link #few} of the first row from a row on. */
    private int index(int row) {
        int position = Arrays.binarySearch(Objects.requireNonNull(few), row);
        return position < 0 ? -position - 1 : position;
    }

    /** Returns whether a row from {@code from} to {@code to}, exclusive, was found. */
    public boolean hasAny(int from, int to) {
        return from < to && (bits == null ? next(from) : bits.nextSetBit(from, to)) < to;
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
        if (from >= to) {
            return 0;
        }
        int end = firstRow + to;
        int count = 0;
        if (bits == null) {
            int[] rows = Objects.requireNonNull(few);
            for (int i = index(firstRow + from); i < rows.length && rows[i] < end; i++) {
                into[count] = rows[i] - firstRow;
                count += dead.has(into[count]) ? 0 : 1;
            }
            return count;
        }
        if (dead.isEmpty()) {
            return bits.intoArray(firstRow + from, end, -firstRow, into);
        }
        int next = bits.nextSetBit(firstRow + from, end);
        while (next < end) {
            int row = next - firstRow;
            into[count] = row;
            count += dead.has(row) ? 0 : 1;
            next = next + 1 < end ? bits.nextSetBit(next + 1, end) : end;
        }
        return count;
    }
}
