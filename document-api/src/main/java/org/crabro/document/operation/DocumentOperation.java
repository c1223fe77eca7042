package org.crabro.document.operation;

import java.util.List;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;

/** One change to one document. */
public sealed interface DocumentOperation {
    /** Returns the id of the changed document. */
    DocumentId id();

    /** Replaces the whole document. */
    record Put(Document document) implements DocumentOperation {
        @Override
        public DocumentId id() {
            return document.id();
        }
    }

    /**
     * Changes parts of an existing document.
     *
     * @param updates executed in order
     */
    record Update(DocumentId id, List<FieldUpdate> updates) implements DocumentOperation {
        public Update {
            updates = List.copyOf(updates);
        }
    }

    /** Removes the document, if it exists. */
    record Remove(DocumentId id) implements DocumentOperation {}
}
