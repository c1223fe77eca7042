package org.crabro.container.visit;

import org.crabro.container.document.DocumentWrites;

/** Reads and writes the documents of each content cluster for background work. */
public interface BackgroundAccess {
    /** Returns the reads of the documents of a type in a cluster. */
    VisitReads reads(String cluster, String documentType);

    /** Returns the writes of the documents of a type in a cluster. */
    DocumentWrites writes(String cluster, String documentType);

    /** Returns the access to clusters that store no type twice, in one place. */
    static BackgroundAccess one(VisitReads reads, DocumentWrites writes) {
        return new BackgroundAccess() {
            @Override
            public VisitReads reads(String cluster, String documentType) {
                return reads;
            }

            @Override
            public DocumentWrites writes(String cluster, String documentType) {
                return writes;
            }
        };
    }
}
