package org.crabro.container.query;

import java.util.List;
import java.util.Optional;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.Schema;

/**
 * Of hits that have the same value in a field, how many are shown. One field after another.
 *
 * @param fields none for all hits
 * @param summary the document summary by whose names fields are called; nothing where they are
 *     called as in documents
 */
public record Collapse(List<Field> fields, Optional<String> summary) {
    /** All hits are shown. */
    public static final Collapse NONE = new Collapse(List.of(), Optional.empty());

    public Collapse {
        fields = List.copyOf(fields);
    }

    /** A field, and how many hits with the same value of it are shown. */
    public record Field(String name, int size) {}

    /** Returns the fields of documents of a type, in the order of {@link #fields}. */
    List<String> sources(Schema schema) {
        return fields.stream().map(field -> source(field, schema)).toList();
    }

    /** Returns what a field is called in documents of a type. */
    public String source(Field field, Schema schema) {
        return summary
                .flatMap(name -> Optional.ofNullable(schema.summaries().get(name)))
                .map(DocumentSummary::fields)
                .stream()
                .flatMap(List::stream)
                .filter(shown -> shown.name().equals(field.name()))
                .flatMap(shown -> shown.sources().stream())
                .findFirst()
                .orElse(field.name());
    }
}
