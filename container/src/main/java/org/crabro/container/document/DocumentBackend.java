package org.crabro.container.document;

/**
 * The operations on stored documents that requests use.
 *
 * @param copies for updates that read the stored document
 * @param rows writes puts of types that are stored as they are fed
 * @param many answers requests for more than one document
 */
public record DocumentBackend(
        DocumentReads reads,
        DocumentWrites writes,
        DocumentCopies copies,
        RowPuts rows,
        ManyDocuments many) {
    /** A backend whose documents have one copy. */
    public DocumentBackend(
            DocumentReads reads, DocumentWrites writes, RowPuts rows, ManyDocuments many) {
        this(reads, writes, DocumentCopies.one(reads, writes), rows, many);
    }
}
