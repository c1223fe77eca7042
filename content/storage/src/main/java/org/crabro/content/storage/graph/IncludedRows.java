package org.crabro.content.storage.graph;

/** Which rows of a section a view includes. For one thread. */
public interface IncludedRows {
    /** Returns whether all rows are included. */
    boolean areAll();

    /** Returns whether a row is included: it is not dead, and its block can be read. */
    boolean has(int row);
}
