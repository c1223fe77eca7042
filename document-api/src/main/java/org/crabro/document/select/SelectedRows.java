package org.crabro.document.select;

/** Many documents of one type, by columns. Rows are numbered from 0. */
public interface SelectedRows {
    /** Returns a document; the next call may change it. */
    SelectedDocument document(int row);

    SelectedColumn column(String field);

    /**
     * Returns a number for namespace and type of a row's id. Rows with the same number have the
     * same namespace and type. Numbers are small and start at 0.
     */
    int head(int row);

    /** Returns a number for the group or number of a row's id, like {@link #head}. */
    int group(int row);
}
