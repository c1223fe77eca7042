package org.crabro.document;

import java.util.List;
import java.util.Optional;

/**
 * The name and the fields of a kind of document, as it is stored.
 *
 * @param fields in schema order, names distinct
 */
public record DocumentType(String name, List<Field> fields) {
    public DocumentType {
        fields = List.copyOf(fields);
    }

    /** Returns the field called {@code name}. */
    public Optional<Field> field(String name) {
        return fields.stream().filter(field -> field.name().equals(name)).findFirst();
    }

    /**
     * Returns a number that tells this type from every other ever stored: equal for equal names,
     * field names, field types and order.
     */
    public long fingerprint() {
        throw new UnsupportedOperationException();
    }
}
