package org.crabro.document.json;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.json.FieldValueReader.UnfitValueException;
import org.crabro.document.operation.FieldUpdate;
import org.crabro.document.time.TimeParts;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.JacksonIOException;

/**
 * Reads the bodies of updates of one document type.
 *
 * <pre>
 *   body      := "{" member { "," member } "}"
 *   member    := "fields" ":" "{" { ( name | path ) ":" changes } "}"    ; required
 *              | "condition" ":" string
 *              | "create" ":" ( true | false )
 *              | name ":" anything                                       ; skipped
 *   changes   := "{" { operation ":" operand } "}"
 *   operation := "assign" | "add" | "remove" | "increment" | "decrement" | "multiply" | "divide"
 *              | "match" | "modify"
 * </pre>
 *
 * <p>Changes of whole fields are executed first, in their order in the body, and then those of
 * paths. Safe for use by many threads.
 */
public final class UpdateReader {
    private static final String PREFIX = "update: ";

    private final DocumentType type;
    private final boolean ignoresUndefinedFields;
    private final Map<String, WeightRules> weightRules;
    private final FieldValueReader values;
    private final Map<String, TimeParts> times;
    private final Map<String, Field> fields = new LinkedHashMap<>();

    /** A reader for a type without rules for weights. */
    public UpdateReader(DocumentType type, boolean ignoresUndefinedFields) {
        this(type, ignoresUndefinedFields, Map.of());
    }

    /**
     * @param ignoresUndefinedFields whether updates of fields that {@code type} does not have are
     *     ignored
     * @param weightRules of weighted sets, by field; {@link WeightRules#NONE} for others
     */
    public UpdateReader(
            DocumentType type,
            boolean ignoresUndefinedFields,
            Map<String, WeightRules> weightRules) {
        this(type, ignoresUndefinedFields, weightRules, FieldValueReader.LENIENT, Map.of());
    }

    private UpdateReader(
            DocumentType type,
            boolean ignoresUndefinedFields,
            Map<String, WeightRules> weightRules,
            FieldValueReader values,
            Map<String, TimeParts> times) {
        this.values = values;
        this.times = Map.copyOf(times);
        this.type = type;
        this.ignoresUndefinedFields = ignoresUndefinedFields;
        this.weightRules = Map.copyOf(weightRules);
        for (Field field : type.fields()) {
            if (field.inDocument()) {
                fields.put(field.name(), field);
            }
        }
    }

    /** Returns a reader that accepts only true and false for a bool. */
    public UpdateReader strict() {
        return new UpdateReader(
                type, ignoresUndefinedFields, weightRules, FieldValueReader.STRICT, times);
    }

    /**
     * Returns a reader that reads texts of times.
     *
     * @param times by field
     */
    public UpdateReader with(Map<String, TimeParts> times) {
        return new UpdateReader(type, ignoresUndefinedFields, weightRules, values, times);
    }

    DocumentType type() {
        return type;
    }

    /**
     * Reads the body of an update, to its end.
     *
     * @param json UTF-8; left open
     * @param leftOut receives the number of omitted cells
     * @throws InvalidDocumentException if the body is invalid; the message begins with {@code Error
     *     in 'field': } if the error is in a field that exists
     * @throws JacksonIOException if {@code json} cannot be read
     */
    public UpdateBody read(InputStream json, LeftOutCells leftOut) {
        return BodyJson.whole(json, PREFIX, parser -> body(parser, leftOut));
    }

    private UpdateBody body(JsonParser parser, LeftOutCells leftOut) {
        Updates updates = null;
        Optional<String> condition = Optional.empty();
        boolean create = false;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String member = parser.currentName();
            parser.nextToken();
            switch (member) {
                case "fields" -> updates = updates(PREFIX, parser, leftOut);
                case "condition" -> condition = Optional.of(BodyJson.condition(PREFIX, parser));
                case "create" -> create = BodyJson.create(PREFIX, parser);
                default -> parser.skipChildren();
            }
        }
        if (updates == null) {
            throw BodyJson.missingFields(PREFIX);
        }
        return new UpdateBody(updates.list, condition, create, updates.someIgnored);
    }

    /**
     * The updates of a document.
     *
     * @param someIgnored whether updates of fields that the type does not have were ignored
     */
    record Updates(List<FieldUpdate> list, boolean someIgnored) {}

    /**
     * Reads the object of updates, with the parser at its start.
     *
     * @param prefix the start of errors that refer to no field
     */
    Updates updates(String prefix, JsonParser parser, LeftOutCells leftOut) {
        BodyJson.expectFields(prefix, parser);
        FieldValueReader reader = values.telling(leftOut);
        List<FieldUpdate> ofFields = new ArrayList<>();
        List<FieldUpdate> ofPaths = new ArrayList<>();
        boolean someIgnored = false;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            boolean isPath = UpdatePath.isPath(name);
            Field field = fields.get(isPath ? UpdatePath.field(name) : name);
            if (field == null && ignoresUndefinedFields) {
                parser.nextToken();
                parser.skipChildren();
                someIgnored = true;
            } else {
                read(name, isPath, field, reader, parser, isPath ? ofPaths : ofFields);
            }
        }
        ofFields.addAll(ofPaths);
        return new Updates(ofFields, someIgnored);
    }

    private void read(
            String name,
            boolean isPath,
            @Nullable Field field,
            FieldValueReader values,
            JsonParser parser,
            List<FieldUpdate> into) {
        try {
            if (field == null) {
                throw new InvalidDocumentException(
                        "Field '%s' is not defined in document type '%s'; its fields are %s%s"
                                .formatted(
                                        UpdatePath.field(name),
                                        type.name(),
                                        String.join(", ", fields.keySet()),
                                        BodyJson.at(parser)));
            }
            WeightRules weights = weightRules.getOrDefault(field.name(), WeightRules.NONE);
            TimeParts ofField = times.getOrDefault(field.name(), TimeParts.NONE);
            if (isPath) {
                UpdatePath path = UpdatePath.parse(name, field.type(), weights.removesZero());
                FieldValueReader ofPart = values.with(path.times(ofField, field.type()));
                parser.nextToken();
                new FieldChangeReader(field.name(), weights, ofPart, parser, into).readPath(path);
            } else {
                FieldValueReader ofWhole = values.with(ofField);
                parser.nextToken();
                new FieldChangeReader(field.name(), weights, ofWhole, parser, into)
                        .readField(field.type());
            }
        } catch (UnfitValueException e) {
            throw new InvalidDocumentException(
                    "Error in '%s': %s%s".formatted(name, e.getMessage(), BodyJson.at(parser)), e);
        }
    }
}
