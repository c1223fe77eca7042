package org.crabro.content.visit;

import java.util.Optional;
import org.crabro.content.block.key.RowKey;
import org.crabro.protocol.visit.VisitReply;

/** What a page holds, as it is put together. For one thread. */
interface PageContents {
    /** Adds the document at a row. */
    void add(VisitedRows rows, int row);

    /** Adds that the document of a row was removed. */
    void remove(VisitedRows rows, int row);

    /**
     * Returns with which document a page ends that ends early; nothing where it has come to nothing
     * that it could tell.
     *
     * @param looked the last document that was looked at
     */
    default Optional<RowKey> end(RowKey looked) {
        return Optional.of(looked);
    }

    /** Returns how many documents and removals, or groups, were added and can be told. */
    int count();

    /** Returns the bytes that they take, about. */
    long size();

    /** Returns what was added; nothing more is. */
    VisitReply.Contents finish();
}
