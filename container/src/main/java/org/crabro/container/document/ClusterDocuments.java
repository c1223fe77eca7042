package org.crabro.container.document;

/** Reads and writes the documents of content clusters. */
public interface ClusterDocuments extends DocumentReads, DocumentWrites, BulkWrites {}
