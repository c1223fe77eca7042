package org.crabro.client.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A schema that fits the records of a source, and how records become documents of it.
 *
 * @param typeName the name of the document type
 * @param names how documents are named
 * @param count of the records
 * @param hints what the records show besides
 */
public record GuessedSchema(
        String typeName, List<GuessedField> fields, DocumentNames names, long count, Hints hints) {
    /** The field that says which source a document is from, and whether it has changed. */
    public static final String MARK = "import_mark";

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
        return text(Optional.empty());
    }

    /**
     * Returns the text of the schema file.
     *
     * @param embedding the vectors of documents
     */
    public String text(Optional<Embedding> embedding) {
        return SchemaText.of(this, embedding);
    }

    /**
     * Returns the id of a document.
     *
     * @param group of the document
     */
    public String id(String group, String name) {
        return "id:%s:%s:g=%s:%s".formatted(typeName, typeName, group, name);
    }

    /**
     * Returns the fields of the document of a record.
     *
     * @param unfit gets what the fields cannot keep
     */
    Map<String, Object> values(Map<String, Object> record, RecordPuts.Unfit unfit) {
        return RecordPuts.fields(this, record, unfit);
    }

    /**
     * Returns this schema with the fields of a type that a server has.
     *
     * @param declared the types of its fields by their names
     */
    public GuessedSchema within(Map<String, String> declared) {
        List<GuessedField> left = new ArrayList<>();
        for (GuessedField field : fields) {
            Optional.ofNullable(declared.get(field.name()))
                    .flatMap(type -> SchemaFit.type(field.type(), type))
                    .ifPresent(
                            type -> left.add(new GuessedField(field.source(), field.name(), type)));
        }
        return new GuessedSchema(typeName, left, names, count, hints);
    }

    /** Returns the fields of this schema that another one does not have. */
    public List<GuessedField> lacking(GuessedSchema other) {
        List<String> present = other.fields.stream().map(GuessedField::name).toList();
        return fields.stream().filter(field -> !present.contains(field.name())).toList();
    }

    /** Returns whether this schema has the fields whose texts are embedded. */
    public boolean hasTexts(Embedding embedding) {
        return textFields().containsAll(embedding.sources());
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
