package org.crabro.config.schema;

import java.util.List;
import org.crabro.document.Field;

/**
 * A field that has the value of a field of another document.
 *
 * @param field as queries of this schema see it: an attribute, or parts that are attributes
 * @param links from a document of this schema to the other document, at least one; each refers to a
 *     document of the type of the next
 * @param source the field of the other document
 */
public record ImportedField(SchemaField field, List<Link> links, Field source) {
    public ImportedField {
        links = List.copyOf(links);
        if (links.isEmpty()) {
            throw new IllegalArgumentException("no links");
        }
    }

    /**
     * A reference from one document to another.
     *
     * @param reference the field with the id of the other document
     * @param target the type of the other document
     */
    public record Link(Field reference, String target) {}

    /** Returns the name of the field in this schema. */
    public String name() {
        return field.field().name();
    }
}
