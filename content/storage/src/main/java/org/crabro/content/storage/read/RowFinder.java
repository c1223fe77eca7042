package org.crabro.content.storage.read;

import org.crabro.content.storage.index.MatchingRows;

/** Finds the rows of a query in indexes. For one thread. */
public interface RowFinder {
    /** Returns which rows of a section a search reads. */
    Answer find(IndexedSection section);

    /**
     * Notes that the rows of a block were left out, because none of them matches.
     *
     * @param live the number of rows that are not dead
     */
    void skip(int live);

    /** The rows of a section that a search reads. */
    sealed interface Answer {
        /** All rows: the index does not know which match. */
        record Every() implements Answer {}

        /**
         * The rows that may match.
         *
         * @param leavesOut whether blocks without such rows are left out
         */
        record Found(MatchingRows rows, boolean leavesOut) implements Answer {}

        /** No row for now: the finder has taken the section, and asks for slices of it later. */
        record Taken() implements Answer {}
    }
}
