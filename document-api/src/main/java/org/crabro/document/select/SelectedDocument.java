package org.crabro.document.select;

import java.util.Optional;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;

/** A document as far as a selection looks at it: nothing is read that it does not ask for. */
public interface SelectedDocument {
    /** Returns the id. */
    DocumentId id();

    /** Returns the value of a field of the document's type, or nothing where it is not set. */
    Optional<FieldValue> value(String field);

    /** Returns a document that is at hand. */
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
