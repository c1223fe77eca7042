package org.crabro.document.json;

import java.util.ArrayList;
import java.util.Locale;
import java.util.regex.Pattern;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.LegalText;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonParser.NumberType;
import tools.jackson.core.JsonToken;
import tools.jackson.core.io.NumberInput;

/**
 * Reads the value of a field from the parser's current token on.
 *
 * <p>Of a scalar the text counts: a string that holds a number is as good as the number, and a
 * number is as good as its text where a string is expected.
 */
final class FieldValueReader {
    private static final Pattern DECIMAL =
            Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

    private FieldValueReader() {}

    /** A value is not what its type asks for; the parser stands where that was seen. */
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
     * Returns the value at the current token, which is not null.
     *
     * @return with the parser at the value's last token
     */
    static FieldValue read(FieldType type, JsonParser parser) {
        return switch (type) {
            case FieldType.Primitive primitive -> primitive(primitive, parser);
            case FieldType.ArrayOf(var element) -> array(element, parser);
            case FieldType.WeightedSetOf _, FieldType.MapOf _, FieldType.StructOf _ ->
                    throw new UnfitValueException(
                            "values of " + type.text() + " are not built yet");
            case FieldType.TensorOf(var tensor) ->
                    new FieldValue.TensorValue(new TensorReader(tensor, parser).read());
        };
    }

    private static FieldValue primitive(FieldType.Primitive type, JsonParser parser) {
        JsonToken token = parser.currentToken();
        if (!token.isScalarValue() || token == JsonToken.VALUE_NULL) {
            throw unexpected(type.text(), parser);
        }
        return switch (type) {
            case STRING -> new FieldValue.StringValue(string(parser));
            case BOOL -> new FieldValue.BoolValue(parser.getString().equalsIgnoreCase("true"));
            case INT -> new FieldValue.IntValue(intValue(parser));
            case LONG -> new FieldValue.LongValue(longValue(parser));
            case FLOAT -> new FieldValue.FloatValue(floatValue(parser));
            case DOUBLE -> new FieldValue.DoubleValue(doubleValue(parser));
        };
    }

    private static FieldValue array(FieldType element, JsonParser parser) {
        if (element != FieldType.Primitive.STRING) {
            throw new UnfitValueException(
                    "arrays of " + element.text() + " are not built yet, only of string");
        }
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw unexpected("array<string>", parser);
        }
        var elements = new ArrayList<FieldValue>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            elements.add(primitive(FieldType.Primitive.STRING, parser));
        }
        return new FieldValue.ArrayValue(elements);
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
        String text = parser.getString();
        try {
            return Integer.parseInt(withoutPlus(text));
        } catch (NumberFormatException e) {
            throw new UnfitValueException(
                    "expected an int, a whole number from -2147483648 to 2147483647, but found "
                            + found(parser),
                    e);
        }
    }

    private static long longValue(JsonParser parser) {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT
                && parser.getNumberType() != NumberType.BIG_INTEGER) {
            return parser.getLongValue();
        }
        String text = parser.getString();
        try {
            return Long.parseLong(withoutPlus(text));
        } catch (NumberFormatException e) {
            throw new UnfitValueException(
                    "expected a long, a whole number from -2^63 to 2^63-1, but found "
                            + found(parser),
                    e);
        }
    }

    private static String withoutPlus(String text) {
        if (text.startsWith("+")) {
            throw new NumberFormatException("a plus sign is not allowed: " + text);
        }
        return text;
    }

    private static float floatValue(JsonParser parser) {
        String text = parser.getString();
        return parser.currentToken().isNumeric() || isDecimal(text)
                ? NumberInput.parseFloat(text, true)
                : (float) notFinite("a float", text, parser);
    }

    private static double doubleValue(JsonParser parser) {
        if (parser.currentToken().isNumeric()) {
            return parser.getDoubleValue();
        }
        String text = parser.getString();
        return isDecimal(text)
                ? NumberInput.parseDouble(text, true)
                : notFinite("a double", text, parser);
    }

    private static double notFinite(String expected, String text, JsonParser parser) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "nan", "+nan", "-nan" -> Double.NaN;
            case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
            case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
            default -> throw unexpected(expected, parser);
        };
    }

    /**
     * Reads a cell of a tensor or a double: a number, or a string that holds one, or one of the
     * names of what is not finite.
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

    /** Java's own parsers take more than that: blanks, suffixes, hexadecimal digits. */
    private static boolean isDecimal(String text) {
        return DECIMAL.matcher(text).matches();
    }

    static UnfitValueException unexpected(String expected, JsonParser parser) {
        return new UnfitValueException("expected " + expected + " but found " + found(parser));
    }

    /** Returns the current token as an error shows it, cut short where it is long. */
    static String found(JsonParser parser) {
        JsonToken token = parser.currentToken();
        if (token == null) {
            return "null: there is nothing";
        }
        return switch (token) {
            case START_OBJECT, END_OBJECT -> "an object";
            case START_ARRAY, END_ARRAY -> "an array";
            case VALUE_NULL -> "null";
            case VALUE_STRING -> '"' + shortened(parser.getString()) + '"';
            default -> shortened(parser.getString());
        };
    }

    private static String shortened(String text) {
        int longest = 60;
        return text.length() <= longest ? text : text.substring(0, longest) + "...";
    }
}
