package org.crabro.container.processing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.math.MathContext;
import java.net.URI;
import java.net.URISyntaxException;
import java.text.Normalizer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.crabro.config.schema.IndexingScript.Operation;
import org.crabro.config.schema.IndexingScript.Operator;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.Position;
import org.crabro.document.ShownValue;

/** The operations of indexing scripts on single values. */
final class ValueFunctions {
    /** Combining accents, which follow their letter. */
    private static final Pattern ACCENTS = Pattern.compile("[\\u0300-\\u036f]+");

    /** The most digits that eight bytes have in base64, with padding. */
    private static final int BASE64_LENGTH_MAX = 12;

    private ValueFunctions() {}

    static FieldValue apply(Operation operation, FieldValue value) {
        return switch (operation) {
            case LOWERCASE -> string(text(value).toLowerCase(Locale.ROOT));
            case TRIM -> string(text(value).strip());
            case NORMALIZE -> string(withoutAccents(text(value)));
            case TO_ARRAY -> new FieldValue.ArrayValue(List.of(value));
            case TO_WEIGHTED_SET -> new FieldValue.WeightedSetValue(Map.of(value, 1));
            case TO_POSITION -> position(text(value));
            case Z_CURVE -> new FieldValue.LongValue(zCurve(value));
            case EPOCH_SECOND -> new FieldValue.LongValue(epochSecond(text(value)));
            case BASE64_ENCODE -> string(base64(whole(value)));
            case BASE64_DECODE -> new FieldValue.LongValue(fromBase64(text(value)));
            case HEX_ENCODE -> string(Long.toHexString(whole(value)));
            case HEX_DECODE -> new FieldValue.LongValue(fromHex(text(value)));
            case HASH_INT -> new FieldValue.IntValue((int) SipHash.of(text(value).getBytes(UTF_8)));
            case HASH_LONG -> new FieldValue.LongValue(SipHash.of(text(value).getBytes(UTF_8)));
            case PACK_BITS -> TensorFunctions.packed(value);
        };
    }

    private static FieldValue string(String text) {
        return new FieldValue.StringValue(text);
    }

    private static String withoutAccents(String text) {
        String apart = Normalizer.normalize(text, Normalizer.Form.NFD);
        return Normalizer.normalize(ACCENTS.matcher(apart).replaceAll(""), Normalizer.Form.NFC);
    }

    private static FieldValue position(String text) {
        try {
            return Position.parse(text).value();
        } catch (InvalidDocumentException e) {
            throw new UnfitStepException(String.valueOf(e.getMessage()), e);
        }
    }

    private static long zCurve(FieldValue value) {
        if (value instanceof FieldValue.StructValue struct) {
            return Position.of(struct)
                    .orElseThrow(() ->
                            new UnfitStepException(
                                    "a position lacks a part: " + ShownValue.of(struct)))
                    .zCurve();
        }
        throw new UnfitStepException("expected a position but found " + ShownValue.of(value));
    }

    private static long epochSecond(String text) {
        try {
            return Instant.parse(text).getEpochSecond();
        } catch (DateTimeException e) {
            throw new UnfitStepException(
                    "expected a time such as 2026-11-20T17:10:00Z but found \"%s\"".formatted(text),
                    e);
        }
    }

    private static String base64(long number) {
        var bytes = new byte[Long.BYTES];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (number >>> (8 * i));
        }
        return Base64.getEncoder().withoutPadding().encodeToString(bytes);
    }

    private static long fromBase64(String text) {
        if (text.isEmpty()) {
            return Long.MIN_VALUE;
        }
        try {
            if (text.length() <= BASE64_LENGTH_MAX) {
                byte[] bytes = Base64.getDecoder().decode(text);
                long number = 0;
                for (int i = Math.min(bytes.length, Long.BYTES) - 1; i >= 0; i--) {
                    number = number << 8 | (bytes[i] & 0xff);
                }
                return number;
            }
        } catch (IllegalArgumentException _) {
            // Reported below as too long.
        }
        throw new UnfitStepException(
                "expected up to 12 digits in base64 but found \"%s\"".formatted(text));
    }

    private static long fromHex(String text) {
        if (text.isEmpty()) {
            return Long.MIN_VALUE;
        }
        if (!text.matches("[0-9a-fA-F]{1,16}")) {
            throw new UnfitStepException(
                    "expected up to 16 hexadecimal digits but found \"%s\"".formatted(text));
        }
        return Long.parseUnsignedLong(text, 16);
    }

    /** Returns {@code value} as one of {@code type}, which is a type without parts or a tensor. */
    static FieldValue convert(FieldValue value, FieldType type) {
        return switch (type) {
            case Primitive primitive -> convert(value, primitive);
            case FieldType.TensorOf(var tensor) -> TensorFunctions.convert(value, tensor);
            case FieldType.Composite _, FieldType.ReferenceOf _ ->
                    throw new IllegalArgumentException("no conversion to " + type.text());
        };
    }

    private static FieldValue convert(FieldValue value, Primitive type) {
        return switch (type) {
            case STRING, RAW, PREDICATE -> string(text(value));
            case URI -> string(uri(text(value)));
            case BOOL -> new FieldValue.BoolValue(truth(value));
            case BYTE -> new FieldValue.IntValue((byte) wholeOf(value, Byte.MIN_VALUE, 127));
            case INT ->
                    new FieldValue.IntValue(
                            (int) wholeOf(value, Integer.MIN_VALUE, Integer.MAX_VALUE));
            case LONG -> new FieldValue.LongValue(wholeOf(value, Long.MIN_VALUE, Long.MAX_VALUE));
            case FLOAT -> new FieldValue.FloatValue((float) realOf(value));
            case FLOAT16 ->
                    new FieldValue.FloatValue(
                            FieldType.Primitive.nearestFloat16((float) realOf(value)));
            case DOUBLE -> new FieldValue.DoubleValue(realOf(value));
        };
    }

    private static String uri(String text) {
        try {
            new URI(text);
        } catch (URISyntaxException e) {
            throw new UnfitStepException("expected a URI but found \"%s\"".formatted(text), e);
        }
        return text;
    }

    private static boolean truth(FieldValue value) {
        if (value instanceof FieldValue.StringValue(var text)) {
            return !text.isEmpty();
        }
        return value instanceof FieldValue.BoolValue(boolean truth) ? truth : real(value) != 0;
    }

    private static long wholeOf(FieldValue value, long min, long max) {
        if (value instanceof FieldValue.StringValue(var text)) {
            try {
                long number = Long.parseLong(text.strip());
                if (number >= min && number <= max) {
                    return number;
                }
            } catch (NumberFormatException _) {
                // Reported below as out of range.
            }
            throw new UnfitStepException(
                    "expected a whole number from %d to %d but found \"%s\""
                            .formatted(min, max, text));
        }
        if (value instanceof FieldValue.BoolValue(boolean truth)) {
            return truth ? 1 : 0;
        }
        return isWhole(value) ? whole(value) : (long) real(value);
    }

    private static double realOf(FieldValue value) {
        if (value instanceof FieldValue.StringValue(var text)) {
            try {
                return Double.parseDouble(text);
            } catch (NumberFormatException e) {
                throw new UnfitStepException(
                        "expected a number but found \"%s\"".formatted(text), e);
            }
        }
        return value instanceof FieldValue.BoolValue(boolean truth) ? (truth ? 1 : 0) : real(value);
    }

    static long whole(FieldValue value) {
        if (value instanceof FieldValue.IntValue(int number)) {
            return number;
        }
        if (value instanceof FieldValue.LongValue(long number)) {
            return number;
        }
        throw new UnfitStepException("expected a whole number but found " + ShownValue.of(value));
    }

    private static double real(FieldValue value) {
        if (value instanceof FieldValue.FloatValue(float number)) {
            return number;
        }
        return value instanceof FieldValue.DoubleValue(double number) ? number : whole(value);
    }

    /** Returns the text of a text, a number or a bool. */
    static String text(FieldValue value) {
        return switch (value) {
            case FieldValue.StringValue(String text) -> text;
            case FieldValue.BoolValue(boolean is) -> Boolean.toString(is);
            case FieldValue.IntValue(int number) -> Integer.toString(number);
            case FieldValue.LongValue(long number) -> Long.toString(number);
            case FieldValue.FloatValue(float number) -> Float.toString(number);
            case FieldValue.DoubleValue(double number) -> Double.toString(number);
            case FieldValue.ArrayValue _ -> throw new UnfitStepException("an array has no text");
            case FieldValue.WeightedSetValue _ ->
                    throw new UnfitStepException("a weighted set has no text");
            case FieldValue.MapValue _ -> throw new UnfitStepException("a map has no text");
            case FieldValue.StructValue _ -> throw new UnfitStepException("a struct has no text");
            case FieldValue.TensorValue _, FieldValue.MixedTensorValue _ ->
                    throw new UnfitStepException("a tensor has no text");
        };
    }

    /** Returns the code points from {@code from} to before {@code to}, as far as there are any. */
    static FieldValue substring(FieldValue value, int from, int to) {
        String text = text(value);
        int count = text.codePointCount(0, text.length());
        int start = text.offsetByCodePoints(0, Math.min(from, count));
        int end = text.offsetByCodePoints(0, Math.min(to, count));
        return string(text.substring(start, end));
    }

    /** Returns the texts between matches of {@code pattern}; empty ones at the end are dropped. */
    static FieldValue split(FieldValue value, String pattern, MadeValues memory) {
        String text = text(value);
        List<FieldValue> parts =
                text.isEmpty()
                        ? List.of()
                        : Pattern.compile(pattern)
                                .splitAsStream(text)
                                .peek(memory::part)
                                .map(ValueFunctions::string)
                                .toList();
        return new FieldValue.ArrayValue(parts);
    }

    /**
     * Returns the result of decimal arithmetic, converted to {@code type}.
     *
     * @throws UnfitStepException if it divides by zero
     */
    static FieldValue arithmetic(
            Operator operator, FieldValue left, FieldValue right, Primitive type) {
        double a = real(left);
        double b = real(right);
        boolean divides = operator == Operator.DIVIDE || operator == Operator.REMAINDER;
        if (divides && b == 0) {
            throw new UnfitStepException("division of " + text(left) + " by zero");
        }
        if (!Double.isFinite(a) || !Double.isFinite(b)) {
            return number(
                    switch (operator) {
                        case ADD -> a + b;
                        case SUBTRACT -> a - b;
                        case MULTIPLY -> a * b;
                        case DIVIDE -> a / b;
                        case REMAINDER -> a % b;
                    },
                    type);
        }
        BigDecimal first = new BigDecimal(text(left));
        BigDecimal second = new BigDecimal(text(right));
        return number(
                switch (operator) {
                    case ADD -> first.add(second);
                    case SUBTRACT -> first.subtract(second);
                    case MULTIPLY -> first.multiply(second);
                    case DIVIDE -> first.divide(second, MathContext.DECIMAL64);
                    case REMAINDER -> first.remainder(second);
                },
                type);
    }

    private static FieldValue number(Number number, Primitive type) {
        return switch (type.stored()) {
            case INT -> new FieldValue.IntValue(number.intValue());
            case LONG -> new FieldValue.LongValue(number.longValue());
            case FLOAT -> new FieldValue.FloatValue(number.floatValue());
            case DOUBLE -> new FieldValue.DoubleValue(number.doubleValue());
            case STRING, BOOL, BYTE, FLOAT16, URI, RAW, PREDICATE ->
                    throw new IllegalArgumentException("no numbers of arithmetic are " + type);
        };
    }

    /** Returns a number below, equal to or above 0, as {@code left} is to {@code right}. */
    static int compare(FieldValue left, FieldValue right) {
        if (left instanceof FieldValue.StringValue(var a)
                && right instanceof FieldValue.StringValue(var b)) {
            return a.compareTo(b);
        }
        if (left instanceof FieldValue.BoolValue(boolean a)
                && right instanceof FieldValue.BoolValue(boolean b)) {
            return Boolean.compare(a, b);
        }
        boolean whole = isWhole(left) && isWhole(right);
        return whole
                ? Long.compare(whole(left), whole(right))
                : Double.compare(real(left), real(right));
    }

    private static boolean isWhole(FieldValue value) {
        return value instanceof FieldValue.IntValue || value instanceof FieldValue.LongValue;
    }
}
