package org.crabro.content.visit;

import org.crabro.protocol.visit.VisitReply;

/** What a page holds, as it is put together. For one thread. */
interface PageContents {
    /** Adds the document at a row. */
    void add(VisitedRows rows, int row);

    /** Adds that the document of a row was removed. */
    void remove(VisitedRows rows, int row);

    /** Returns how many documents and removals were added. */
    int count();

    /** Returns the bytes that they take, about. */
    long size();

    /** Returns what was added; nothing more is. */
    VisitReply.Contents finish();
}
