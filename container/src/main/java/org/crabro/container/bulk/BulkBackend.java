package org.crabro.container.bulk;

import org.crabro.container.document.BulkWrites;
import org.crabro.container.document.DocumentCopies;
import org.crabro.container.document.DocumentReads;
import org.crabro.container.document.ServedTypes;
import org.crabro.container.route.SelectionFilter;

/**
 * The types of an application, and the operations on stored documents that bulk requests use.
 *
 * @param filter drops puts that the selection of their cluster excludes, and carries out single
 *     operations
 * @param copies for updates that read the stored document
 */
public record BulkBackend(
        ServedTypes types,
        DocumentReads reads,
        SelectionFilter filter,
        DocumentCopies copies,
        BulkWrites writes) {
    /** A backend whose documents have one copy. */
    public BulkBackend(
            ServedTypes types, DocumentReads reads, SelectionFilter filter, BulkWrites writes) {
        this(types, reads, filter, DocumentCopies.one(reads, filter), writes);
    }
}
