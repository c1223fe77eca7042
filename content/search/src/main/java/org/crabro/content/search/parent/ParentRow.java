package org.crabro.content.search.parent;

import org.jspecify.annotations.Nullable;

/** The row of a parent. Safe for use by many threads. */
final class ParentRow {
    /** The row of a document that does not exist, or that the sender of the search may not read. */
    static final ParentRow NONE = new ParentRow(null, -1, -1);

    private final @Nullable ParentBlock block;
    private final int row;
    private final int number;

    // By number of the referring field; threads that race write equal ones.
    private @Nullable ParentRow @Nullable [] further;

    /**
     * @param number different for each parent that a search finds
     */
    ParentRow(@Nullable ParentBlock block, int row, int number) {
        this.block = block;
        this.row = row;
        this.number = number;
    }

    @Nullable ParentBlock block() {
        return block;
    }

    int row() {
        return row;
    }

    int number() {
        return number;
    }

    /** Returns the parent that a field of this row refers to, if it was found before. */
    @Nullable ParentRow further(int source) {
        @Nullable ParentRow[] current = further;
        return current == null ? null : current[source];
    }

    void setFurther(int source, int sources, ParentRow parent) {
        @Nullable ParentRow[] current = further;
        if (current == null) {
            current = new ParentRow[sources];
            further = current;
        }
        current[source] = parent;
    }
}
