package org.crabro.content.search.visit;

import java.util.Optional;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.protocol.visit.VisitReply;

/** The contents of a page under construction. For one thread. */
interface PageContents {
    /** Adds the document at a row. */
    void add(VisitedRows rows, int row);

    /** Adds the removal of the document of a row. */
    void remove(VisitedRows rows, int row);

    /**
     * Returns the document at which a page that ends early ends; empty if the page has no complete
     * entry.
     *
     * @param looked the last document that was read
     */
    default Optional<RowKey> end(RowKey looked) {
        return Optional.of(looked);
    }

    /** Returns the number of complete entries: documents and removals, or groups. */
    int count();

    /** Returns the approximate size of the entries in bytes. */
    long size();

    /** Returns the entries. Nothing can be added afterwards. */
    VisitReply.Contents finish();
}
