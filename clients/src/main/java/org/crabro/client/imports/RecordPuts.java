package org.crabro.client.imports;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Makes puts of records, with values of the types of a guessed schema. */
final class RecordPuts {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private RecordPuts() {}

    /** Gets values that a field cannot keep as they are given. */
    @FunctionalInterface
    interface Unfit {
        /**
         * A value is stored otherwise than it is given, or not at all.
         *
         * @param field or the path of a member without a field
         * @param change what happens to it
         */
        void add(String field, String change);
    }

    /** Returns the values of the fields of a record. */
    static Map<String, Object> fields(
            GuessedSchema schema, Map<String, Object> record, Unfit unfit) {
        Map<String, Object> values = fields(schema.fields(), record);
        Set<String> sources = new HashSet<>();
        boolean hasOthers = false;
        for (GuessedField field : schema.fields()) {
            sources.add(field.source());
            if (field.type() instanceof GuessedType.Others) {
                hasOthers = true;
                others(schema.fields(), record)
                        .ifPresent(others -> values.put(field.name(), others));
            }
            Object given = record.get(field.source());
            if (given != null) {
                SchemaFit.loss(given, field.type(), Optional.ofNullable(values.get(field.name())))
                        .ifPresent(change -> unfit.add(field.name(), change));
            }
        }
        if (!hasOthers) {
            record.forEach((path, value) -> {
                if (!sources.contains(path) && !isNothing(value)) {
                    unfit.add(MemberPath.shown(path), "left out because the schema has no field");
                }
            });
        }
        return values;
    }

    private static Map<String, Object> fields(List<GuessedField> fields, Map<?, ?> record) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (GuessedField field : fields) {
            Object given = record.get(field.source());
            if (given != null && !(given instanceof NullElement)) {
                value(given, field.type()).ifPresent(value -> values.put(field.name(), value));
            }
        }
        return values;
    }

    /** Returns the members without a field, and null values; empty if there are none. */
    private static Optional<String> others(List<GuessedField> fields, Map<String, Object> record) {
        Set<String> sources = new HashSet<>();
        fields.forEach(field -> sources.add(field.source()));
        ObjectNode others = NODES.objectNode();
        record.forEach((path, value) -> {
            if (value instanceof NullElement || (!sources.contains(path) && !isEmpty(value))) {
                others.set(path, node(value));
            }
        });
        return others.isEmpty() ? Optional.empty() : Optional.of(others.toString());
    }

    private static boolean isEmpty(Object value) {
        return (value instanceof String text && text.isEmpty())
                || (value instanceof List<?> list && list.isEmpty());
    }

    /** Returns whether nothing is lost without a value: it is empty, null, or a list of such. */
    static boolean isNothing(Object value) {
        return isEmpty(value)
                || value instanceof NullElement
                || (value instanceof List<?> list && list.stream().allMatch(RecordPuts::isNothing));
    }

    /** Returns a value in the form of a type; empty if it is an empty value. */
    private static Optional<Object> value(Object given, GuessedType type) {
        return switch (type) {
            case GuessedType.Text _, GuessedType.Keyword _ -> Optional.of(text(given));
            case GuessedType.Json _ -> Optional.of(node(given).toString());
            case GuessedType.Original _ ->
                    Optional.<Object>of(text(given)).filter(_ -> !isEmpty(given));
            case GuessedType.Whole _ -> Optional.of(bare(given)).filter(Long.class::isInstance);
            case GuessedType.Single _ -> Optional.of(bare(given)).filter(Number.class::isInstance);
            case GuessedType.Truth _ -> Optional.of(bare(given)).filter(Boolean.class::isInstance);
            case GuessedType.Decimal _ -> decimal(bare(given));
            case GuessedType.Separated(SeparatedNumber.Sign sign, GuessedType number) ->
                    bare(given) instanceof SeparatedNumber separated
                            ? Optional.of(separated.value(sign))
                            : value(given, number);
            case GuessedType.Nearest _ -> nearest(bare(given));
            case GuessedType.Time _ -> seconds(bare(given)).map(value -> value);
            case GuessedType.Raw _ -> Optional.of(base64(bare(given)));
            case GuessedType.Vector _ ->
                    given instanceof List<?> list && !list.isEmpty()
                            ? Optional.of(
                                    Map.of("values", list.stream().map(RecordPuts::bare).toList()))
                            : Optional.empty();
            case GuessedType.Array(GuessedType element) -> array(given, element);
            case GuessedType.Struct(List<GuessedField> parts) ->
                    given instanceof Map<?, ?> map
                            ? Optional.of(fields(parts, MemberPath.flat(map)))
                            : Optional.empty();
            case GuessedType.Others _ -> Optional.empty();
        };
    }

    /** Returns a value without its text. */
    static Object bare(Object given) {
        return given instanceof GivenValue(String _, Object value) ? value : given;
    }

    private static Optional<Object> decimal(Object number) {
        return switch (number) {
            // The text of a float is another double than the float.
            case Float single -> Optional.of(single.doubleValue());
            default -> Optional.of(number).filter(Number.class::isInstance);
        };
    }

    /** Returns the nearest finite double of a number. */
    private static Optional<Object> nearest(Object given) {
        return given instanceof Number number && Double.isFinite(number.doubleValue())
                ? Optional.of(number.doubleValue())
                : Optional.empty();
    }

    private static Optional<Object> array(Object given, GuessedType element) {
        List<?> list = given instanceof List<?> several ? several : List.of(given);
        List<Object> values = new ArrayList<>();
        for (Object each : list) {
            if (!(each instanceof NullElement)) {
                value(each, element).ifPresent(values::add);
            }
        }
        return values.isEmpty() ? Optional.empty() : Optional.of(values);
    }

    private static Optional<Long> seconds(Object given) {
        return switch (given) {
            case Instant time -> Optional.of(time.getEpochSecond());
            case LocalDate day -> Optional.of(DateText.begin(day).getEpochSecond());
            default -> DateText.parse(given.toString()).map(Instant::getEpochSecond);
        };
    }

    private static String base64(Object given) {
        return given instanceof Base64Value(String base64)
                ? base64
                : Base64Value.of(text(given).getBytes(StandardCharsets.UTF_8)).base64();
    }

    /** Returns the name of a document that a value is. */
    static String name(Object given) {
        return text(bare(given));
    }

    /** Returns the text that a source has for a value, or one with all that it says. */
    static String text(Object given) {
        return switch (given) {
            case String text -> text;
            case GivenValue(String text, Object _) -> text;
            case BigDecimal number -> ExactNumber.text(number);
            case Base64Value(String base64) -> base64;
            case List<?> _, Map<?, ?> _ -> node(given).toString();
            default -> given.toString();
        };
    }

    /** Returns a value as JSON. */
    private static JsonNode node(Object given) {
        return switch (given) {
            case NullElement _ -> NODES.nullNode();
            case String text -> NODES.stringNode(text);
            case Boolean truth -> NODES.booleanNode(truth);
            case Long number -> NODES.numberNode(number);
            case Float number -> NODES.numberNode(number);
            case Double number -> NODES.numberNode(number);
            case BigDecimal number -> NODES.numberNode(number);
            case GivenValue(String _, Number number) -> node(number);
            case GivenValue(String text, Object _) -> NODES.stringNode(text);
            case List<?> list -> {
                ArrayNode array = NODES.arrayNode();
                list.forEach(each -> array.add(node(each)));
                yield array;
            }
            case Map<?, ?> map -> {
                ObjectNode object = NODES.objectNode();
                map.forEach((name, each) -> object.set((String) name, node(each)));
                yield object;
            }
            default -> NODES.stringNode(text(given));
        };
    }
}
