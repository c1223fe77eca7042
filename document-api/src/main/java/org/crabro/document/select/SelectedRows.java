package org.crabro.document.select;

/** Many documents of one type, by columns. Rows are numbered from 0. */
public interface SelectedRows {
    /** Returns a document; the next call may change it. */
    SelectedDocument document(int row);

    SelectedColumn column(String field);

    /**
     * Returns a number for namespace and type of a row's id: rows that have the same number have
     * both the same. From 0, and small.
     */
    int head(int row);

    /** Returns a number for group or number of a row's id, as {@link #head} does. */
    int group(int row);
}
