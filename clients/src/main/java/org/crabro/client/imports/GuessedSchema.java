package org.crabro.client.imports;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A schema that fits the records of a source, and how records become documents of it.
 *
 * @param typeName the name of the document type
 * @param idMember the member of records whose values are the documents' names; without it, they are
 *     numbered from 1
 * @param count of the records
 * @param commonWord a word that many searched texts contain
 */
public record GuessedSchema(
        String typeName,
        List<GuessedField> fields,
        Optional<String> idMember,
        long count,
        Optional<String> commonWord) {
    public GuessedSchema {
        fields = List.copyOf(fields);
    }

    /** Returns the text of the schema file. */
    public String text() {
        return SchemaText.of(this);
    }

    /**
     * Returns the operation that puts a record, as a line.
     *
     * @param group of the document
     * @param number of the record, from 1
     */
    public String put(Map<String, Object> record, String group, long number) {
        return RecordPuts.line(this, record, group, number);
    }

    /** Returns the names of the fields with searched texts. */
    public List<String> textFields() {
        return names(GuessedType.Text.class);
    }

    /** Returns the names of the fields with a type. */
    List<String> names(Class<? extends GuessedType> type) {
        return fields.stream()
                .filter(field -> type.isInstance(field.type()))
                .map(GuessedField::name)
                .toList();
    }
}
