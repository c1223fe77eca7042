package org.crabro.container.document;

/**
 * The operations on stored documents that requests use.
 *
 * @param texts reads documents that are too large to be read as values
 * @param copies for updates that read the stored document
 * @param rows writes puts of types that are stored as they are fed
 * @param many answers requests for more than one document
 */
public record DocumentBackend(
        DocumentReads reads,
        DocumentTexts texts,
        DocumentWrites writes,
        DocumentCopies copies,
        RowPuts rows,
        ManyDocuments many) {
    /** A backend whose documents have one copy, and values that fit in memory. */
    public DocumentBackend(
            DocumentReads reads, DocumentWrites writes, RowPuts rows, ManyDocuments many) {
        this(
                reads,
                (_, _, _, _, _) -> {
                    throw new UnsupportedOperationException("documents are not read as text");
                },
                writes,
                DocumentCopies.one(reads, writes),
                rows,
                many);
    }
}
