package org.crabro.content.search.match;

import java.util.List;
import org.crabro.content.storage.read.BlockSlice;

/** A total order of rows of the slices of a query. */
public interface RowOrder {
    /**
     * Compares two rows; the row that sorts first is better.
     *
     * @param slice index of the first row's slice
     * @param value the first row's value, such as its score or distance; never NaN
     * @param otherSlice index of the second row's slice
     */
    int compare(int slice, int row, double value, int otherSlice, int otherRow, double otherValue);

    /**
     * Returns the factor by which values are multiplied so that the better of two different values
     * is the smaller one: 1 or -1. Returns 0 if the order does not compare values first.
     */
    default int sign() {
        return 0;
    }

    /** Returns the order by value, the smallest first, then by document id. */
    static RowOrder smallestFirst(List<BlockSlice> slices) {
        return new ByValue(slices, 1);
    }

    /** Returns the order by value, the largest first, then by document id. */
    static RowOrder largestFirst(List<BlockSlice> slices) {
        return new ByValue(slices, -1);
    }

    /** By value, then by document id. */
    record ByValue(List<BlockSlice> slices, int sign) implements RowOrder {
        @Override
        public int compare(
                int slice, int row, double value, int otherSlice, int otherRow, double otherValue) {
            return value == otherValue
                    ? compareIds(slices, slice, row, otherSlice, otherRow)
                    : sign * value < sign * otherValue ? -1 : 1;
        }
    }

    /** Compares two rows by the ids of their documents. */
    static int compareIds(
            List<BlockSlice> slices, int slice, int row, int otherSlice, int otherRow) {
        return slices.get(slice).block().compareIds(row, slices.get(otherSlice).block(), otherRow);
    }
}
