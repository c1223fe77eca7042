package org.crabro.document.json;

import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldValue;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.time.TimeParts;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.JacksonIOException;

/**
 * Reads the bodies of puts of one document type.
 *
 * <pre>
 *   body   := "{" member { "," member } "}"
 *   member := "fields" ":" "{" { name ":" value } "}"    ; required
 *           | "condition" ":" string
 *           | "create" ":" ( true | false )
 *           | name ":" anything                          ; skipped
 * </pre>
 *
 * <p>Members can be in any order; of several members with the same name, the last one is used. A
 * field that is null is not set. Safe for use by many threads.
 */
public final class DocumentReader {
    /** The maximum nesting depth of a body. */
    public static final int DEPTH_MAX = 200;

    /** The maximum number of characters of one string of a body. */
    public static final int STRING_LENGTH_MAX = 128 << 20;

    private final DocumentType type;
    private final boolean ignoresUndefinedFields;
    private final Map<String, Field> fields;
    private final FieldValueReader values;
    private final Map<String, TimeParts> times;

    DocumentType type() {
        return type;
    }

    /**
     * Returns whether fields that the type does not have are ignored; otherwise they are rejected.
     */
    public boolean ignoresUndefinedFields() {
        return ignoresUndefinedFields;
    }

    /** Creates a reader that rejects fields that {@code type} does not have. */
    public DocumentReader(DocumentType type) {
        this(type, false);
    }

    /**
     * @param ignoresUndefinedFields whether fields that {@code type} does not have are ignored
     */
    public DocumentReader(DocumentType type, boolean ignoresUndefinedFields) {
        this(type, ignoresUndefinedFields, FieldValueReader.LENIENT, Map.of());
    }

    private DocumentReader(
            DocumentType type,
            boolean ignoresUndefinedFields,
            FieldValueReader values,
            Map<String, TimeParts> times) {
        this.values = values;
        this.times = Map.copyOf(times);
        this.type = type;
        this.ignoresUndefinedFields = ignoresUndefinedFields;
        this.fields =
                type.fields().stream()
                        .filter(Field::inDocument)
                        .collect(
                                Collectors.toMap(
                                        Field::name,
                                        Function.identity(),
                                        (first, _) -> first,
                                        LinkedHashMap::new));
    }

    /** Returns a reader that accepts only true and false for a bool. */
    public DocumentReader strict() {
        return new DocumentReader(type, ignoresUndefinedFields, FieldValueReader.STRICT, times);
    }

    /**
     * Returns a reader that reads texts of times.
     *
     * @param times by field
     */
    public DocumentReader with(Map<String, TimeParts> times) {
        return new DocumentReader(type, ignoresUndefinedFields, values, times);
    }

    /**
     * Reads the body of the put of document {@code id}, to its end.
     *
     * @param id of this reader's type
     * @param json UTF-8; left open
     * @param leftOut receives the cells that the body leaves out
     * @throws InvalidDocumentException if the body is invalid; the message contains the id, and the
     *     field's name if a value is wrong
     * @throws JacksonIOException if {@code json} cannot be read
     */
    public DocumentBody read(DocumentId id, InputStream json, LeftOutCells leftOut) {
        if (!id.documentType().equals(type.name())) {
            throw new IllegalArgumentException(id + " is not of type " + type.name());
        }
        String prefix = id + ": ";
        return BodyJson.whole(json, prefix, parser -> body(id, prefix, parser, leftOut));
    }

    private DocumentBody body(
            DocumentId id, String prefix, JsonParser parser, LeftOutCells leftOut) {
        Fields fields = null;
        Optional<String> condition = Optional.empty();
        boolean create = false;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String member = parser.currentName();
            parser.nextToken();
            switch (member) {
                case "fields" -> fields = fields(id, parser, leftOut);
                case "condition" -> condition = Optional.of(BodyJson.condition(prefix, parser));
                case "create" -> create = BodyJson.create(prefix, parser);
                default -> parser.skipChildren();
            }
        }
        if (fields == null) {
            throw BodyJson.missingFields(prefix);
        }
        return new DocumentBody(
                new Document(id, fields.values), condition, create, fields.someIgnored);
    }

    /**
     * The fields of a document.
     *
     * @param someIgnored whether fields that the type does not have were ignored
     */
    record Fields(Map<String, FieldValue> values, boolean someIgnored) {}

    /** Reads the object of a document's fields, with the parser at its start. */
    Fields fields(DocumentId id, JsonParser parser, LeftOutCells leftOut) {
        BodyJson.expectFields(id + ": ", parser);
        FieldValueReader reader = this.values.telling(leftOut);
        var values = new LinkedHashMap<String, FieldValue>();
        boolean someIgnored = false;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            Field field = fields.get(name);
            if (field == null && ignoresUndefinedFields) {
                parser.nextToken();
                parser.skipChildren();
                someIgnored = true;
                continue;
            }
            if (field == null) {
                throw unknownField(id, name, parser);
            }
            FieldValue value = value(id, field, reader.with(timesOf(name)), parser);
            if (value == null) {
                values.remove(name);
            } else {
                values.put(name, value);
            }
        }
        return new Fields(values, someIgnored);
    }

    private TimeParts timesOf(String field) {
        return times.getOrDefault(field, TimeParts.NONE);
    }

    private static @Nullable FieldValue value(
            DocumentId id, Field field, FieldValueReader values, JsonParser parser) {
        if (parser.nextToken() == JsonToken.VALUE_NULL) {
            return null;
        }
        try {
            return values.read(field.type(), parser);
        } catch (FieldValueReader.UnfitValueException e) {
            throw new InvalidDocumentException(
                    "%s: field '%s': %s%s"
                            .formatted(id, field.name(), e.getMessage(), BodyJson.at(parser)),
                    e);
        }
    }

    private InvalidDocumentException unknownField(DocumentId id, String name, JsonParser parser) {
        return new InvalidDocumentException(
                "Field '%s' is not defined in document type '%s'; its fields are %s: %s%s"
                        .formatted(
                                name,
                                type.name(),
                                String.join(", ", fields.keySet()),
                                id,
                                BodyJson.at(parser)));
    }
}
