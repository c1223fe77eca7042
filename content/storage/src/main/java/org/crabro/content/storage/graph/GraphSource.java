package org.crabro.content.storage.graph;

/** The graphs of rows that were merged into others, and where these rows are now. */
final class GraphSource {
    /** Stands for a row that is not among the new ones. */
    static final int GONE = -1;

    private final SectionGraphs graphs;
    private final int[] newRows;

    /**
     * @param graphs of the old rows
     * @param newRows by old row: its number among the new rows, or {@link #GONE}
     */
    GraphSource(SectionGraphs graphs, int[] newRows) {
        this.graphs = graphs;
        this.newRows = newRows;
    }

    /** Returns the graphs of the old rows. */
    SectionGraphs graphs() {
        return graphs;
    }

    /**
     * Returns the number of each old row among the new ones, or {@link #GONE}; not to be changed.
     */
    int[] newRows() {
        return newRows;
    }
}
