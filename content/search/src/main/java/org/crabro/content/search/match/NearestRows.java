package org.crabro.content.search.match;

import java.util.Arrays;
import java.util.List;

/**
 * The rows that nearest-neighbor searches selected before matching: for every slice, in rising
 * order. Immutable.
 */
public final class NearestRows {
    private static final int[] NONE = {};

    private final int[][] rowsBySlice;

    private NearestRows(int[][] rowsBySlice) {
        this.rowsBySlice = rowsBySlice;
    }

    /**
     * Returns the rows in {@code best}.
     *
     * @param sliceCount the number of slices of the query
     */
    public static NearestRows of(List<TopK> best, int sliceCount) {
        var counts = new int[sliceCount];
        for (TopK part : best) {
            for (int i = 0; i < part.size(); i++) {
                counts[part.slice(i)]++;
            }
        }
        var rows = new int[sliceCount][];
        for (int i = 0; i < sliceCount; i++) {
            rows[i] = counts[i] == 0 ? NONE : new int[counts[i]];
        }
        for (TopK part : best) {
            for (int i = 0; i < part.size(); i++) {
                int slice = part.slice(i);
                rows[slice][--counts[slice]] = part.row(i);
            }
        }
        for (int[] ofSlice : rows) {
            Arrays.sort(ofSlice);
        }
        return new NearestRows(rows);
    }

    int[] rows(int slice) {
        return rowsBySlice[slice];
    }
}
