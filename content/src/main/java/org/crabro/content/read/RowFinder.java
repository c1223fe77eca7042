package org.crabro.content.read;

import java.util.Optional;
import org.crabro.content.neighbors.LiveRows;
import org.crabro.content.neighbors.SectionGraphs;
import org.crabro.content.sidecar.FoundRows;
import org.crabro.content.sidecar.SectionIndex;
import org.crabro.document.DocumentType;

/** Finds the rows of a query in indexes. For one thread. */
public interface RowFinder {
    /**
     * Returns the rows of a section that may match; empty if all of them may.
     *
     * @param type the type that the rows were written with
     */
    Optional<FoundRows> find(IndexedSection section, DocumentType type);

    /**
     * A section with an index or graphs.
     *
     * @param index empty if only graphs were made so far, or are wanted
     * @param rows the number of rows
     * @param live the rows of the view
     */
    record IndexedSection(
            Optional<SectionIndex> index, SectionGraphs graphs, int rows, LiveRows live) {}

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
