package org.crabro.document.operation;

import java.util.List;
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

    /**
     * Changes parts of a document that is there.
     *
     * @param updates carried out one after another
     */
    record Update(DocumentId id, List<FieldUpdate> updates) implements DocumentOperation {
        public Update {
            updates = List.copyOf(updates);
        }
    }

    /** Removes the document; nothing happens where there is none. */
    record Remove(DocumentId id) implements DocumentOperation {}
}
