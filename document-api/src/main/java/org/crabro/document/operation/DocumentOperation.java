package org.crabro.document.operation;

import org.crabro.document.Document;
import org.crabro.document.DocumentId;

/** One change to one document. */
public sealed interface DocumentOperation {
    /** Returns the document that is changed. */
    DocumentId id();

    /** Replaces the whole document. */
    record Put(Document document) implements DocumentOperation {
        @Override
        public DocumentId id() {
            return document.id();
        }
    }

    /** Removes the document; nothing happens where there is none. */
    record Remove(DocumentId id) implements DocumentOperation {}
}
