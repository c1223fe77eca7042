package org.crabro.container.visit;

import org.crabro.container.document.DocumentWrites;

/**
 * The operations on the stored documents of one content cluster that visits use.
 *
 * @param reads reads pages
 * @param writes writes for clients, through processors and indexing scripts
 * @param copies writes stored documents unchanged to a content cluster
 * @param updates reads the update of a request on a selection
 * @param removals removes whole groups
 */
public record VisitBackend(
        VisitReads reads,
        DocumentWrites writes,
        Copies copies,
        SelectionUpdates updates,
        GroupRemovals removals) {
    /** Finds the writes that copy documents to a content cluster. */
    public interface Copies {
        /**
         * Returns writes whose operations are puts of stored versions, on the condition of their
         * timestamps in the source.
         */
        DocumentWrites to(String cluster);
    }
}
