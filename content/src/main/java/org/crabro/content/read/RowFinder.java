package org.crabro.content.sidecar;

import java.util.Optional;
import org.crabro.document.DocumentType;

/** Finds the rows of a query in indexes. For one thread. */
public interface RowFinder {
    /**
     * Returns the rows of a section that may match; empty if all of them may.
     *
     * @param type the type that the rows were written with
     */
    Optional<FoundRows> find(SectionIndex index, DocumentType type);

    /** Returns whether blocks without a row that may match are left out. */
    boolean leavesOut();

    /**
     * Returns whether only the number of rows that match counts, so that blocks are left out too if
     * an index knows which of their rows match.
     */
    boolean countsOnly();

    /**
     * Notes that the rows of a block were left out.
     *
     * @param live the number of rows that are not dead
     * @param matching how many of them match
     */
    void leaveOut(int live, int matching);
}
