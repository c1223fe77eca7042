package org.crabro.container.document;

/**
 * The operations on stored documents that requests use.
 *
 * @param rows writes puts of types that are stored as they are fed
 * @param many answers requests for more than one document
 */
public record DocumentBackend(
        DocumentReads reads, DocumentWrites writes, RowPuts rows, ManyDocuments many) {}
