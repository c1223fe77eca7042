package org.crabro.document.select;

import java.util.Optional;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;

/** A document as a selection reads it. Only the parts that the selection uses are read. */
public interface SelectedDocument {
    /** Returns the id. */
    DocumentId id();

    /** Returns the value of a field of the document's type; empty if it is not set. */
    Optional<FieldValue> value(String field);

    /** Returns a view of an existing document. */
    static SelectedDocument of(Document document) {
        return new SelectedDocument() {
            @Override
            public DocumentId id() {
                return document.id();
            }

            @Override
            public Optional<FieldValue> value(String field) {
                return document.value(field);
            }
        };
    }
}
