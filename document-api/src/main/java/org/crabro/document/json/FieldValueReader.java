package org.crabro.document.json;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.document.DocumentId;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.LegalText;
import org.crabro.document.Position;
import org.crabro.document.predicate.PredicateReader;
import org.crabro.document.time.InvalidTimeException;
import org.crabro.document.time.TimeKind;
import org.crabro.document.time.TimeParts;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import org.crabro.text.Excerpt;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonParser.NumberType;
import tools.jackson.core.JsonToken;
import tools.jackson.core.io.NumberInput;

/**
 * Reads the value of a field, starting at the parser's current token.
 *
 * <p>Scalars are read by their text: a string that contains a number is accepted as the number, and
 * a number is accepted as a string.
 */
final class FieldValueReader {
    /** The most characters of a token in a message. */
    private static final int SHOWN_CHARS = 60;

    /** Reads a bool as false unless it is true. */
    static final FieldValueReader LENIENT =
            new FieldValueReader(false, LeftOutCells.UNCOUNTED, TimeParts.NONE);

    /** Accepts only true and false for a bool, in any case. */
    static final FieldValueReader STRICT =
            new FieldValueReader(true, LeftOutCells.UNCOUNTED, TimeParts.NONE);

    private final boolean strict;
    private final LeftOutCells leftOut;
    private final TimeParts times;

    private FieldValueReader(boolean strict, LeftOutCells leftOut, TimeParts times) {
        this.strict = strict;
        this.leftOut = leftOut;
        this.times = times;
    }

    /** Returns a reader that reports omitted cells to {@code leftOut}. */
    FieldValueReader telling(LeftOutCells leftOut) {
        return new FieldValueReader(strict, leftOut, times);
    }

    /** Returns a reader that reads texts of times for the numbers that {@code times} names. */
    FieldValueReader with(TimeParts times) {
        return times.equals(this.times) ? this : new FieldValueReader(strict, leftOut, times);
    }

    /** Thrown if a value does not match its type. The parser is at the position of the error. */
    static final class UnfitValueException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UnfitValueException(String message) {
            super(message);
        }

        UnfitValueException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * Reads the value at the current token, which must not be null. Afterwards the parser is at the
     * value's last token.
     */
    FieldValue read(FieldType type, JsonParser parser) {
        return switch (type) {
            case FieldType.Primitive primitive -> primitive(primitive, parser);
            case FieldType.ArrayOf array -> array(array, parser);
            case FieldType.WeightedSetOf set -> weightedSet(set, parser);
            case FieldType.MapOf map -> map(map, parser);
            case FieldType.StructOf struct ->
                    struct.equals(FieldType.StructOf.POSITION)
                            ? position(parser)
                            : struct(struct, parser);
            case FieldType.ReferenceOf reference -> reference(reference, parser);
            case FieldType.TensorOf(var tensor) ->
                    tensor.isDense()
                            ? new FieldValue.TensorValue(dense(tensor, parser))
                            : mixed(tensor, parser);
        };
    }

    /** Reads a tensor without mapped dimensions. */
    DenseTensor dense(TensorType type, JsonParser parser) {
        return new TensorReader(type, parser, leftOut).read();
    }

    /** Reads a tensor with mapped dimensions. */
    FieldValue.MixedTensorValue mixed(TensorType type, JsonParser parser) {
        return new FieldValue.MixedTensorValue(new MixedTensorReader(type, parser, leftOut).read());
    }

    private static FieldValue reference(FieldType.ReferenceOf type, JsonParser parser) {
        JsonToken token = parser.currentToken();
        if (!token.isScalarValue() || token == JsonToken.VALUE_NULL) {
            throw unexpected(type.text(), parser);
        }
        String text = string(parser);
        if (!text.isEmpty()) {
            checkReference(type, text);
        }
        return new FieldValue.StringValue(text);
    }

    private static void checkReference(FieldType.ReferenceOf type, String text) {
        DocumentId id;
        try {
            id = DocumentId.parse(text);
        } catch (InvalidDocumentException e) {
            throw new UnfitValueException(
                    "expected the id of a document for %s: %s"
                            .formatted(type.text(), e.getMessage()),
                    e);
        }
        if (!id.documentType().equals(type.documentType())) {
            throw new UnfitValueException(
                    "expected the id of a document of type '%s' for %s, but '%s' is of type '%s'"
                            .formatted(type.documentType(), type.text(), text, id.documentType()));
        }
    }

    private FieldValue primitive(FieldType.Primitive type, JsonParser parser) {
        JsonToken token = parser.currentToken();
        if (!token.isScalarValue() || token == JsonToken.VALUE_NULL) {
            throw unexpected(type.text(), parser);
        }
        return scalar(type, parser);
    }

    /** Reads a value. If the parser is at the name of a member, reads it as a key. */
    private FieldValue scalar(FieldType.Primitive type, JsonParser parser) {
        return switch (type) {
            case STRING -> new FieldValue.StringValue(string(parser));
            case PREDICATE -> new FieldValue.StringValue(predicate(parser));
            case URI -> new FieldValue.StringValue(uri(parser));
            case RAW -> new FieldValue.StringValue(base64(parser));
            case BOOL -> new FieldValue.BoolValue(truth(parser));
            case BYTE -> new FieldValue.IntValue(byteValue(parser));
            case INT -> new FieldValue.IntValue(intValue(parser));
            case LONG -> new FieldValue.LongValue(timeOrLong(parser));
            case FLOAT -> new FieldValue.FloatValue(floatValue(parser));
            case FLOAT16 ->
                    new FieldValue.FloatValue(
                            FieldType.Primitive.nearestFloat16(floatValue(parser)));
            case DOUBLE -> new FieldValue.DoubleValue(doubleValue(parser));
        };
    }

    private String predicate(JsonParser parser) {
        String text = string(parser);
        Optional<String> problem = PredicateReader.problem(text);
        if (problem.isPresent()) {
            throw new UnfitValueException(problem.get());
        }
        return text;
    }

    private boolean truth(JsonParser parser) {
        String text = parser.getString();
        if (strict && !text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
            throw unexpected("true or false for bool", parser);
        }
        return text.equalsIgnoreCase("true");
    }

    /** Reads a number, or the text of a time if the numbers are times. */
    private long timeOrLong(JsonParser parser) {
        if (times.kind().isEmpty() || parser.currentToken() != JsonToken.VALUE_STRING) {
            return longValue(parser);
        }
        try {
            return whole(parser, Long.MIN_VALUE, Long.MAX_VALUE);
        } catch (NumberFormatException _) {
            return time(times.kind().get(), parser.getString());
        }
    }

    private static long time(TimeKind kind, String text) {
        try {
            return kind.value(text);
        } catch (InvalidTimeException e) {
            throw new UnfitValueException(String.valueOf(e.getMessage()), e);
        }
    }

    private FieldValue key(FieldType type, JsonParser parser) {
        if (!(type instanceof FieldType.Primitive primitive)) {
            throw new UnfitValueException("type " + type.text() + " cannot be used for keys");
        }
        return scalar(primitive, parser);
    }

    private FieldValue array(FieldType.ArrayOf type, JsonParser parser) {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw unexpected(type.text(), parser);
        }
        var elements = new ArrayList<FieldValue>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            elements.add(read(type.element(), parser));
        }
        return new FieldValue.ArrayValue(elements);
    }

    private FieldValue weightedSet(FieldType.WeightedSetOf type, JsonParser parser) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw unexpected(type.text() + ", an object with a weight for each element,", parser);
        }
        var weights = new LinkedHashMap<FieldValue, Integer>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            FieldValue element = key(type.element(), parser);
            parser.nextToken();
            if (primitive(FieldType.Primitive.INT, parser)
                    instanceof FieldValue.IntValue(int weight)) {
                weights.put(element, weight);
            }
        }
        return new FieldValue.WeightedSetValue(weights);
    }

    private FieldValue map(FieldType.MapOf type, JsonParser parser) {
        var values = new LinkedHashMap<FieldValue, FieldValue>();
        FieldValueReader inner = with(times.part("value"));
        switch (parser.currentToken()) {
            case START_OBJECT -> {
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    FieldValue key = key(type.key(), parser);
                    parser.nextToken();
                    values.put(key, inner.read(type.value(), parser));
                }
            }
            case START_ARRAY -> {
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    entry(type, parser, values);
                }
            }
            default ->
                    throw unexpected(
                            type.text()
                                    + ", an object or an array of objects with 'key' and 'value',",
                            parser);
        }
        return new FieldValue.MapValue(values);
    }

    private void entry(FieldType.MapOf type, JsonParser parser, Map<FieldValue, FieldValue> into) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw unexpected("an object with 'key' and 'value'", parser);
        }
        FieldValue key = null;
        FieldValue value = null;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String member = parser.currentName();
            parser.nextToken();
            switch (member) {
                case "key" -> key = read(type.key(), parser);
                case "value" -> value = with(times.part("value")).read(type.value(), parser);
                default ->
                        throw new UnfitValueException(
                                "expected 'key' or 'value' in an entry of a map but found '%s'"
                                        .formatted(member));
            }
        }
        if (key == null || value == null) {
            throw new UnfitValueException("an entry of a map needs both 'key' and 'value'");
        }
        into.put(key, value);
    }

    private FieldValue struct(FieldType.StructOf type, JsonParser parser) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw unexpected("an object for struct " + type.name(), parser);
        }
        @Nullable FieldValue[] values = new FieldValue[type.fields().size()];
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            int index = index(type, parser.currentName());
            values[index] =
                    parser.nextToken() == JsonToken.VALUE_NULL
                            ? null
                            : with(times.part(type.fields().get(index).name()))
                                    .read(type.fields().get(index).type(), parser);
        }
        // In the order of the type, as in rows.
        var fields = new LinkedHashMap<String, FieldValue>();
        for (int i = 0; i < values.length; i++) {
            FieldValue value = values[i];
            if (value != null) {
                fields.put(type.fields().get(i).name(), value);
            }
        }
        return new FieldValue.StructValue(fields);
    }

    private static int index(FieldType.StructOf type, String member) {
        List<Field> fields = type.fields();
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).name().equals(member)) {
                return i;
            }
        }
        throw new UnfitValueException(
                "struct '%s' has no field '%s'; its fields are %s"
                        .formatted(
                                type.name(),
                                member,
                                String.join(", ", fields.stream().map(Field::name).toList())));
    }

    private static FieldValue position(JsonParser parser) {
        try {
            return switch (parser.currentToken()) {
                case VALUE_STRING -> Position.parse(parser.getString()).value();
                case START_OBJECT -> positionObject(parser).value();
                default ->
                        throw unexpected(
                                "a position, an object with 'lat' and 'lng' or a string such as"
                                        + " N37.4;W122.0,",
                                parser);
            };
        } catch (InvalidDocumentException e) {
            throw new UnfitValueException(String.valueOf(e.getMessage()), e);
        }
    }

    private static Position positionObject(JsonParser parser) {
        double lat = Double.NaN;
        double lng = Double.NaN;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String member = parser.currentName();
            parser.nextToken();
            switch (member) {
                case "lat", "latitude" -> lat = cell(parser);
                case "lng", "longitude" -> lng = cell(parser);
                case "x" -> lng = intValue(parser) / 1e6;
                case "y" -> lat = intValue(parser) / 1e6;
                default ->
                        throw new UnfitValueException(
                                "a position has 'lat' and 'lng', or 'x' and 'y', but not '%s'"
                                        .formatted(member));
            }
        }
        if (Double.isNaN(lat) || Double.isNaN(lng)) {
            throw new UnfitValueException(
                    "a position lacks '%s'".formatted(Double.isNaN(lat) ? "lat" : "lng"));
        }
        return Position.ofDegrees(lat, lng);
    }

    private static String uri(JsonParser parser) {
        String text = string(parser);
        try {
            new URI(text);
        } catch (URISyntaxException e) {
            throw new UnfitValueException("expected a URI but found " + actual(parser), e);
        }
        return text;
    }

    /** Ignores line ends and other characters outside the alphabet, as MIME does. */
    private static String base64(JsonParser parser) {
        try {
            byte[] bytes = Base64.getMimeDecoder().decode(string(parser));
            return Base64.getEncoder().encodeToString(bytes);
        } catch (IllegalArgumentException e) {
            throw new UnfitValueException(
                    "expected bytes in base64 but found " + actual(parser), e);
        }
    }

    private static int byteValue(JsonParser parser) {
        try {
            return (int) whole(parser, Byte.MIN_VALUE, Byte.MAX_VALUE);
        } catch (NumberFormatException e) {
            throw new UnfitValueException(
                    "expected a byte, a whole number from -128 to 127, but found " + actual(parser),
                    e);
        }
    }

    private static long whole(JsonParser parser, long least, long most) {
        return NumberText.parseWhole(parser.getString(), least, most);
    }

    private static String string(JsonParser parser) {
        String text = parser.getString();
        try {
            LegalText.check("the string", text);
        } catch (InvalidDocumentException e) {
            throw new UnfitValueException(String.valueOf(e.getMessage()), e);
        }
        return text;
    }

    private static int intValue(JsonParser parser) {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT
                && parser.getNumberType() == NumberType.INT) {
            return parser.getIntValue();
        }
        try {
            return (int) whole(parser, Integer.MIN_VALUE, Integer.MAX_VALUE);
        } catch (NumberFormatException e) {
            throw new UnfitValueException(
                    "expected an int, a whole number from -2147483648 to 2147483647, but found "
                            + actual(parser),
                    e);
        }
    }

    private static long longValue(JsonParser parser) {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT
                && parser.getNumberType() != NumberType.BIG_INTEGER) {
            return parser.getLongValue();
        }
        try {
            return whole(parser, Long.MIN_VALUE, Long.MAX_VALUE);
        } catch (NumberFormatException e) {
            throw new UnfitValueException(
                    "expected a long, a whole number from -2^63 to 2^63-1, but found "
                            + actual(parser),
                    e);
        }
    }

    private static float floatValue(JsonParser parser) {
        String text = parser.getString();
        if (parser.currentToken().isNumeric()) {
            return NumberInput.parseFloat(text, true);
        }
        try {
            return NumberText.parseFloat(text);
        } catch (NumberFormatException _) {
            throw unexpected("a float", parser);
        }
    }

    private static double doubleValue(JsonParser parser) {
        if (parser.currentToken().isNumeric()) {
            return parser.getDoubleValue();
        }
        try {
            return NumberText.parseDouble(parser.getString());
        } catch (NumberFormatException _) {
            throw unexpected("a double", parser);
        }
    }

    /**
     * Reads a cell of a tensor or a double: a number, a string that contains one, or a name of a
     * value that is not finite.
     */
    static double cell(JsonParser parser) {
        JsonToken token = parser.currentToken();
        if (token.isNumeric()) {
            return parser.getDoubleValue();
        }
        if (token != JsonToken.VALUE_STRING) {
            throw unexpected("a number", parser);
        }
        return doubleValue(parser);
    }

    static UnfitValueException unexpected(String expected, JsonParser parser) {
        return new UnfitValueException("expected " + expected + " but found " + actual(parser));
    }

    /** Returns the current token for an error, shortened if it is long. */
    static String actual(JsonParser parser) {
        JsonToken token = parser.currentToken();
        if (token == null) {
            return "null: there is nothing";
        }
        return switch (token) {
            case START_OBJECT, END_OBJECT -> "an object";
            case START_ARRAY, END_ARRAY -> "an array";
            case VALUE_NULL -> "null";
            case VALUE_STRING -> '"' + Excerpt.of(parser.getString(), SHOWN_CHARS) + '"';
            default -> Excerpt.of(parser.getString(), SHOWN_CHARS);
        };
    }
}
