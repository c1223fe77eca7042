package org.crabro.client.imports;

import dev.hardwood.metadata.LogicalType;
import dev.hardwood.row.PqInterval;
import dev.hardwood.row.PqList;
import dev.hardwood.row.PqMap;
import dev.hardwood.row.PqStruct;
import dev.hardwood.row.PqVariant;
import dev.hardwood.row.PqVariantArray;
import dev.hardwood.row.PqVariantObject;
import dev.hardwood.row.StructAccessor;
import dev.hardwood.schema.SchemaNode;
import dev.hardwood.schema.SchemaNode.GroupNode;
import dev.hardwood.schema.SchemaNode.PrimitiveNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.crabro.document.LegalText;
import org.jspecify.annotations.Nullable;

/**
 * The values of a row of a Parquet file, as values of records. The library does not look at whether
 * a whole number has a sign, and replaces bytes of texts that are no UTF-8: both are done here.
 */
final class ParquetValues {
    private static final long MILLIS_OF_SECOND = 1000;

    private final GroupNode root;
    private final ImportLosses losses;
    private String place = "";

    /**
     * @param root the schema of the rows
     */
    ParquetValues(GroupNode root, ImportLosses losses) {
        this.root = root;
        this.losses = losses;
    }

    /**
     * Returns the values of a row.
     *
     * @param where the row is, for losses
     * @throws IllegalStateException if a limit is exceeded
     */
    Map<String, Object> row(StructAccessor row, String where) {
        place = where;
        return object(row, root, "");
    }

    private Map<String, Object> object(
            StructAccessor struct, @Nullable SchemaNode node, String path) {
        if (struct.getFieldCount() > ImportLimits.FIELDS_MAX) {
            throw new IllegalStateException(
                    ImportLimits.tooMany("columns", ImportLimits.FIELDS_MAX));
        }
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < struct.getFieldCount(); i++) {
            int index = i;
            String name = struct.getFieldName(i);
            String distinct = name;
            for (int number = 2; object.containsKey(distinct); number++) {
                distinct = name + " " + number;
            }
            if (!struct.isNull(i)) {
                @Nullable Object value =
                        value(
                                () -> struct.getRawValue(index),
                                () -> struct.getValue(index),
                                child(node, i, name),
                                inside(path, distinct));
                if (value != null) {
                    object.put(distinct, value);
                }
            }
        }
        return object;
    }

    private static String inside(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private static @Nullable SchemaNode child(@Nullable SchemaNode node, int index, String name) {
        if (!(node instanceof GroupNode group)) {
            return null;
        }
        if (index < group.children().size() && group.children().get(index).name().equals(name)) {
            return group.children().get(index);
        }
        for (SchemaNode each : group.children()) {
            if (each.name().equals(name)) {
                return each;
            }
        }
        return null;
    }

    /**
     * Returns a value; null if there is none.
     *
     * @param raw returns the bytes of texts
     * @param decoded returns the value as the library reads it
     */
    private @Nullable Object value(
            Supplier<@Nullable Object> raw,
            Supplier<@Nullable Object> decoded,
            @Nullable SchemaNode node,
            String path) {
        if (node instanceof PrimitiveNode primitive && isText(primitive.logicalType())) {
            @Nullable Object given = raw.get();
            return given instanceof byte[] bytes ? text(bytes, path) : decoded(given, node, path);
        }
        return decoded(decoded.get(), node, path);
    }

    private static boolean isText(@Nullable LogicalType type) {
        return type instanceof LogicalType.StringType || type instanceof LogicalType.JsonType;
    }

    private @Nullable Object decoded(
            @Nullable Object value, @Nullable SchemaNode node, String path) {
        return switch (value) {
            case null -> null;
            case Byte number -> number.longValue();
            case Short number -> number.longValue();
            case Integer number ->
                    isUnsigned(node) ? Integer.toUnsignedLong(number) : number.longValue();
            case Long number -> number < 0 && isUnsigned(node) ? unsigned(number) : number;
            case BigDecimal number -> decimal(number);
            case LocalDate date -> date;
            case LocalDateTime time ->
                    new GivenValue(time.toString(), time.toInstant(ZoneOffset.UTC));
            case LocalTime time -> time.toString();
            case UUID id -> id.toString();
            case PqInterval interval -> duration(interval);
            case byte[] bytes -> bytes(bytes);
            case PqStruct struct -> object(struct, node, path);
            case PqList list -> list(list, node, path);
            case PqMap map -> map(map, node, path);
            case PqVariant variant -> variant(variant, path, 0);
            case Boolean _, Float _, Double _, Instant _, String _ -> value;
            default -> throw new IllegalStateException("a value of " + value.getClass());
        };
    }

    private static boolean isUnsigned(@Nullable SchemaNode node) {
        return node instanceof PrimitiveNode primitive
                && primitive.logicalType() instanceof LogicalType.IntType type
                && !type.isSigned();
    }

    private static Object unsigned(long number) {
        return ExactNumber.of(new BigDecimal(new BigInteger(Long.toUnsignedString(number))));
    }

    private static Object decimal(BigDecimal number) {
        if (number.unscaledValue().bitLength() > ImportLimits.PARQUET_DECIMAL_BITS_MAX) {
            throw new IllegalStateException(
                    ImportLimits.tooMany(
                            "bits in a decimal number", ImportLimits.PARQUET_DECIMAL_BITS_MAX));
        }
        return ExactNumber.of(number);
    }

    /** Returns an interval in the form of ISO 8601. */
    private static String duration(PqInterval interval) {
        return "P%dM%dDT%d.%03dS"
                .formatted(
                        interval.months(),
                        interval.days(),
                        interval.milliseconds() / MILLIS_OF_SECOND,
                        interval.milliseconds() % MILLIS_OF_SECOND);
    }

    /** Returns bytes as a text if a document can have it, as older writers do not mark texts. */
    private static Object bytes(byte[] bytes) {
        try {
            String text = decode(bytes);
            if (text.codePoints().allMatch(LegalText::isLegal)) {
                return text;
            }
        } catch (CharacterCodingException _) {
            // No text.
        }
        return Base64Value.of(bytes);
    }

    private static String decode(byte[] bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    }

    private String text(byte[] bytes, String path) {
        try {
            return decode(bytes);
        } catch (CharacterCodingException _) {
            losses.add(path, "bytes that are no UTF-8 become U+FFFD", place);
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    private List<Object> list(PqList list, @Nullable SchemaNode node, String path) {
        @Nullable SchemaNode element = element(node);
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            int index = i;
            @Nullable Object value =
                    list.isNull(i)
                            ? null
                            : value(() -> list.getRaw(index), () -> list.get(index), element, path);
            values.add(value == null ? NullElement.NULL : value);
        }
        return values;
    }

    /** Returns the schema of the elements; a repeated column without a list is its own element. */
    private static @Nullable SchemaNode element(@Nullable SchemaNode node) {
        return node instanceof GroupNode group && group.isList() ? group.getListElement() : node;
    }

    private Map<String, Object> map(PqMap map, @Nullable SchemaNode node, String path) {
        @Nullable GroupNode group = node instanceof GroupNode given ? given : null;
        @Nullable SchemaNode keys = group == null ? null : group.getMapKey();
        @Nullable SchemaNode values = group == null ? null : group.getMapValue();
        Map<String, Object> object = new LinkedHashMap<>();
        for (PqMap.Entry entry : map.getEntries()) {
            @Nullable Object key = value(entry::getRawKey, entry::getKey, keys, path);
            String name =
                    switch (key) {
                        case null -> "null";
                        case GivenValue(String text, Object _) -> text;
                        case Base64Value(String base64) -> base64;
                        default -> key.toString();
                    };
            @Nullable Object value =
                    entry.isValueNull()
                            ? null
                            : value(
                                    entry::getRawValue,
                                    entry::getValue,
                                    values,
                                    inside(path, name));
            if (object.put(name, value == null ? NullElement.NULL : value) != null) {
                losses.add(
                        inside(path, name),
                        "several values in one map, of which the last is stored",
                        place);
            }
        }
        return object;
    }

    private @Nullable Object variant(PqVariant variant, String path, int depth) {
        if (depth > ImportLimits.DEPTH_MAX) {
            throw new IllegalStateException(
                    ImportLimits.tooMany(
                            "lists and objects inside each other", ImportLimits.DEPTH_MAX));
        }
        return switch (variant.type()) {
            case NULL -> null;
            case BOOLEAN_TRUE -> true;
            case BOOLEAN_FALSE -> false;
            case INT8, INT16, INT32 -> (long) variant.asInt();
            case INT64 -> variant.asLong();
            case DOUBLE -> variant.asDouble();
            case FLOAT -> variant.asFloat();
            case DECIMAL4, DECIMAL8, DECIMAL16 -> decimal(variant.asDecimal());
            case DATE -> decoded(variant.asDate(), null, path);
            case TIMESTAMP, TIMESTAMP_NANOS -> variant.asTimestamp();
            case TIMESTAMP_NTZ, TIMESTAMP_NTZ_NANOS ->
                    decoded(variant.asLocalTimestamp(), null, path);
            case BINARY -> bytes(variant.asBinary());
            case STRING -> variant.asString();
            case TIME_NTZ -> variant.asTime().toString();
            case UUID -> variant.asUuid().toString();
            case OBJECT -> variantObject(variant.asObject(), path, depth);
            case ARRAY -> variantArray(variant.asArray(), path, depth);
        };
    }

    private Map<String, Object> variantObject(PqVariantObject given, String path, int depth) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < given.getFieldCount(); i++) {
            String name = given.getFieldName(i);
            @Nullable PqVariant member = given.getVariant(name);
            @Nullable Object value =
                    member == null ? null : variant(member, inside(path, name), depth + 1);
            if (value != null) {
                object.put(name, value);
            }
        }
        return object;
    }

    private List<Object> variantArray(PqVariantArray given, String path, int depth) {
        List<Object> values = new ArrayList<>();
        for (PqVariant each : given) {
            @Nullable Object value = variant(each, path, depth + 1);
            values.add(value == null ? NullElement.NULL : value);
        }
        return values;
    }
}
