package org.crabro.content.node;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.crabro.document.Document;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldValue;
import org.crabro.document.TypeChange;
import org.crabro.protocol.encoding.Row;

/** Converts stored rows to documents of the active type. */
final class StoredDocument {
    private StoredDocument() {}

    /**
     * Returns the fields of a row that the active type has, in its order.
     *
     * @param written the type that the row was written with, if it is known
     */
    static Document of(Row row, Optional<DocumentType> written, DocumentType active) {
        Map<String, FieldValue> fields = new LinkedHashMap<>();
        for (Field field : active.fields()) {
            FieldValue value = row.fields().get(field.name());
            if (value != null) {
                change(field, written)
                        .ifPresent(change -> fields.put(field.name(), change.read(value)));
            }
        }
        return new Document(row.id(), fields);
    }

    /** Returns the change of a field's type, if its old values can be read. */
    private static Optional<TypeChange> change(Field field, Optional<DocumentType> written) {
        return written.flatMap(type -> type.field(field.name()))
                .map(before -> new TypeChange(before.type(), field.type()))
                .filter(TypeChange::isReadable);
    }
}
