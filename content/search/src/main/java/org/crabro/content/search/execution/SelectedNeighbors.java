package org.crabro.content.search.execution;

import java.util.List;
import org.crabro.content.search.match.NearestRows;

/** The rows that the nearest neighbor searches of a query selected. Immutable. */
final class SelectedNeighbors {
    private final List<NearestRows> rows;
    private final boolean[] searched;

    /**
     * @param rows by search
     * @param searched by slice, whether all searches looked at it
     */
    SelectedNeighbors(List<NearestRows> rows, boolean[] searched) {
        this.rows = rows;
        this.searched = searched;
    }

    /** Returns the selected rows by search; empty for a query without such searches. */
    List<NearestRows> rows() {
        return rows;
    }

    /** Returns whether all searches looked at a slice. */
    boolean isSearched(int slice) {
        return searched[slice];
    }

    /** Returns whether all searches have read all slices. */
    boolean isComplete() {
        boolean all = true;
        for (boolean slice : searched) {
            all &= slice;
        }
        return all;
    }
}
