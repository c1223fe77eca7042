package org.crabro.client.imports;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A schema that fits the records of a source, and how records become documents of it.
 *
 * @param typeName the name of the document type
 * @param idMember the member of records whose values are the documents' names; without it, they are
 *     numbered from 1
 * @param count of the records
 * @param hints what the records show besides
 */
public record GuessedSchema(
        String typeName,
        List<GuessedField> fields,
        Optional<String> idMember,
        long count,
        Hints hints) {
    public GuessedSchema {
        fields = List.copyOf(fields);
    }

    /**
     * What records show besides their fields.
     *
     * @param commonWord a word that many searched texts contain
     * @param notes what a user needs to know of the fields, a line for each
     */
    public record Hints(Optional<String> commonWord, List<String> notes) {
        public Hints {
            notes = List.copyOf(notes);
        }
    }

    /** Returns a word that many searched texts contain. */
    public Optional<String> commonWord() {
        return hints.commonWord;
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

    /** Returns the names of the fields with texts. */
    List<String> textFields() {
        return fields.stream()
                .filter(field -> field.type() instanceof GuessedType.Text)
                .map(GuessedField::name)
                .toList();
    }

    /** Returns the names of the fields whose words are searched, and of such parts of fields. */
    List<String> wordFields() {
        return fields.stream().flatMap(GuessedSchema::wordsOf).toList();
    }

    private static Stream<String> wordsOf(GuessedField field) {
        GuessedType type = field.type();
        if (type instanceof GuessedType.Array(GuessedType.Struct(List<GuessedField> parts))) {
            return parts.stream()
                    .flatMap(GuessedSchema::wordsOf)
                    .map(part -> field.name() + "." + part);
        }
        boolean hasWords =
                type instanceof GuessedType.Text
                        || type instanceof GuessedType.Json
                        || type instanceof GuessedType.Others
                        || type instanceof GuessedType.Array(GuessedType.Text _);
        return hasWords ? Stream.of(field.name()) : Stream.of();
    }
}
