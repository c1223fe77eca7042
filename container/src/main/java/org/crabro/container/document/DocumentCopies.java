package org.crabro.container.document;

import org.crabro.document.DocumentId;
import org.crabro.protocol.wire.Deadline;

/** Performs writes that read the stored document first. */
public interface DocumentCopies {
    /** A write that depends on the stored document. */
    interface Step {
        /** Reads the document from {@code reads}, and writes it to {@code writes}. */
        WriteResult on(DocumentReads reads, DocumentWrites writes);
    }

    /**
     * Performs a step in each content cluster that may store a document.
     *
     * @return the merged outcome
     */
    WriteResult inEach(DocumentId id, Deadline deadline, Step step);

    /**
     * Returns writes to the copies in one content cluster, which stores the types of the documents.
     * A document that the cluster does not select is not written.
     */
    default IndexedWrites in(String cluster) {
        throw new IllegalStateException("there is only one content cluster, not " + cluster);
    }

    /** Returns the copies of documents that have one copy. */
    static DocumentCopies one(DocumentReads reads, DocumentWrites writes) {
        return (_, _, step) -> step.on(reads, writes);
    }
}
