package org.crabro.document;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A document: its id and the fields that are set.
 *
 * @param fields by name, in their original order
 */
public record Document(DocumentId id, Map<String, FieldValue> fields) {
    public Document {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /** Returns the value of {@code field}; empty if it is not set. */
    public Optional<FieldValue> value(String field) {
        return Optional.ofNullable(fields.get(field));
    }
}
