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
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

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
 * <p>Members may stand in any order; of members with one name the last counts. A field that is null
 * is not set. Safe for use by many threads.
 */
public final class DocumentReader {
    /** The deepest nesting of a body. */
    public static final int DEPTH_MAX = 200;

    /** The most characters of one string of a body. */
    public static final int STRING_LENGTH_MAX = 128 << 20;

    private static final JsonFactory JSON =
            JsonFactory.builder()
                    .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(DEPTH_MAX)
                                    .maxStringLength(STRING_LENGTH_MAX)
                                    .build())
                    .build();

    private final DocumentType type;
    private final boolean ignoresUndefinedFields;
    private final Map<String, Field> fields;

    /** A reader that refuses fields that {@code type} does not have. */
    public DocumentReader(DocumentType type) {
        this(type, false);
    }

    /**
     * @param ignoresUndefinedFields whether fields that {@code type} does not have are left out
     */
    public DocumentReader(DocumentType type, boolean ignoresUndefinedFields) {
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

    /**
     * Reads the body of the put of document {@code id}, to its end.
     *
     * @param id of this reader's type
     * @param json UTF-8; left open
     * @throws InvalidDocumentException if the body is none; the message begins with the id, and
     *     with the field's name where a value is wrong
     * @throws JacksonIOException if {@code json} cannot be read
     */
    public DocumentBody read(DocumentId id, InputStream json) {
        if (!id.documentType().equals(type.name())) {
            throw new IllegalArgumentException(id + " is not of type " + type.name());
        }
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            return body(id, parser);
        } catch (JacksonIOException e) {
            throw e;
        } catch (JacksonException e) {
            throw new InvalidDocumentException(
                    id
                            + ": the body is no well-formed JSON: "
                            + e.getOriginalMessage()
                            + at(e.getLocation()),
                    e);
        }
    }

    private DocumentBody body(DocumentId id, JsonParser parser) {
        JsonToken first = parser.nextToken();
        if (first != JsonToken.START_OBJECT) {
            throw new InvalidDocumentException(
                    "%s: expected the start of an object, the body, but found %s%s"
                            .formatted(
                                    id,
                                    FieldValueReader.found(parser),
                                    at(parser.currentTokenLocation())));
        }
        Map<String, FieldValue> values = null;
        Optional<String> condition = Optional.empty();
        boolean create = false;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String member = parser.currentName();
            parser.nextToken();
            switch (member) {
                case "fields" -> values = fields(id, parser);
                case "condition" -> condition = Optional.of(condition(id, parser));
                case "create" -> create = create(id, parser);
                default -> parser.skipChildren();
            }
        }
        if (parser.nextToken() != null) {
            throw new InvalidDocumentException(
                    "%s: expected the end behind the body, but found %s%s"
                            .formatted(
                                    id,
                                    FieldValueReader.found(parser),
                                    at(parser.currentTokenLocation())));
        }
        if (values == null) {
            throw new InvalidDocumentException(
                    id + ": the document is missing the required \"fields\" field");
        }
        return new DocumentBody(new Document(id, values), condition, create);
    }

    private Map<String, FieldValue> fields(DocumentId id, JsonParser parser) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw new InvalidDocumentException(
                    "%s: expected an object as \"fields\", but found %s%s"
                            .formatted(
                                    id,
                                    FieldValueReader.found(parser),
                                    at(parser.currentTokenLocation())));
        }
        var values = new LinkedHashMap<String, FieldValue>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            Field field = fields.get(name);
            if (field == null && ignoresUndefinedFields) {
                parser.nextToken();
                parser.skipChildren();
                continue;
            }
            if (field == null) {
                throw unknownField(id, name, parser);
            }
            FieldValue value = value(id, field, parser);
            if (value == null) {
                values.remove(name);
            } else {
                values.put(name, value);
            }
        }
        return values;
    }

    private static @Nullable FieldValue value(DocumentId id, Field field, JsonParser parser) {
        if (parser.nextToken() == JsonToken.VALUE_NULL) {
            return null;
        }
        try {
            return FieldValueReader.read(field.type(), parser);
        } catch (FieldValueReader.UnfitValueException e) {
            throw new InvalidDocumentException(
                    "%s: field '%s': %s%s"
                            .formatted(
                                    id,
                                    field.name(),
                                    e.getMessage(),
                                    at(parser.currentTokenLocation())),
                    e);
        }
    }

    private InvalidDocumentException unknownField(DocumentId id, String name, JsonParser parser) {
        return new InvalidDocumentException(
                "%s: Field '%s' is not defined in document type '%s'; its fields are %s%s"
                        .formatted(
                                id,
                                name,
                                type.name(),
                                String.join(", ", fields.keySet()),
                                at(parser.currentTokenLocation())));
    }

    private static String condition(DocumentId id, JsonParser parser) {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw new InvalidDocumentException(
                    "%s: expected a string as \"condition\", but found %s%s"
                            .formatted(
                                    id,
                                    FieldValueReader.found(parser),
                                    at(parser.currentTokenLocation())));
        }
        return parser.getString();
    }

    private static boolean create(DocumentId id, JsonParser parser) {
        return switch (parser.currentToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default ->
                    throw new InvalidDocumentException(
                            "%s: expected true or false as \"create\", but found %s%s"
                                    .formatted(
                                            id,
                                            FieldValueReader.found(parser),
                                            at(parser.currentTokenLocation())));
        };
    }

    private static String at(@Nullable TokenStreamLocation location) {
        return location == null
                ? ""
                : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
    }
}
