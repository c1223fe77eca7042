package org.crabro.document.operation;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.ShownValue;
import org.crabro.document.operation.FieldChange.Operator;
import org.jspecify.annotations.Nullable;

/** Changes values at the end of an update's path. */
final class ValueChanges {
    private ValueChanges() {}

    /**
     * Returns a value after a change; the same object if nothing changes, null if the value is
     * removed.
     */
    static @Nullable FieldValue changed(
            @Nullable FieldValue value, FieldType type, FieldChange change) {
        return switch (change) {
            case FieldChange.Assign(var assigned) -> assigned;
            case FieldChange.Clear() -> null;
            case FieldChange.Add(var values) -> added(value, type, values);
            case FieldChange.Remove(var values) -> removed(value, type, values);
            case FieldChange.Arithmetic(var operator, double operand) ->
                    computed(value, type, operator, operand);
            case FieldChange.ModifyCells modification ->
                    TensorChanges.modified(value, type, modification);
            case FieldChange.RemoveSubspaces removal -> TensorChanges.removed(value, type, removal);
        };
    }

    static IllegalArgumentException unfit(String expected, FieldType type) {
        return new IllegalArgumentException(
                "an update is for " + expected + ", but the field is of type " + type.text());
    }

    static IllegalArgumentException unfit(String expected, FieldValue value) {
        return new IllegalArgumentException(
                "an update is for " + expected + ", but the field has " + ShownValue.of(value));
    }

    private static FieldValue added(@Nullable FieldValue value, FieldType type, FieldValue values) {
        return switch (type) {
            case FieldType.ArrayOf _ -> {
                var elements = new ArrayList<>(elements(value));
                elements.addAll(elements(values));
                yield new FieldValue.ArrayValue(elements);
            }
            case FieldType.WeightedSetOf _ -> {
                var weights = new LinkedHashMap<>(weights(value));
                weights.putAll(weights(values));
                yield new FieldValue.WeightedSetValue(weights);
            }
            case FieldType.TensorOf(var tensor) -> TensorChanges.added(value, tensor, values);
            case FieldType.Primitive _,
                    FieldType.MapOf _,
                    FieldType.StructOf _,
                    FieldType.ReferenceOf _ ->
                    throw unfit("an array, a weighted set or a tensor", type);
        };
    }

    private static @Nullable FieldValue removed(
            @Nullable FieldValue value, FieldType type, List<FieldValue> values) {
        if (value == null) {
            return null;
        }
        return switch (type) {
            case FieldType.ArrayOf _ -> {
                var elements = new ArrayList<>(elements(value));
                var gone = new HashSet<>(values);
                elements.removeIf(gone::contains);
                yield new FieldValue.ArrayValue(elements);
            }
            case FieldType.WeightedSetOf _ -> {
                var weights = new LinkedHashMap<>(weights(value));
                values.forEach(weights::remove);
                yield new FieldValue.WeightedSetValue(weights);
            }
            default -> throw unfit("an array or a weighted set", type);
        };
    }

    /** Returns the fields of a struct; none if it is not set. */
    static Map<String, FieldValue> fields(@Nullable FieldValue value) {
        if (value == null) {
            return Map.of();
        }
        if (value instanceof FieldValue.StructValue(var fields)) {
            return fields;
        }
        throw unfit("a struct", value);
    }

    /** Returns the elements of an array; none if it is not set. */
    static List<FieldValue> elements(@Nullable FieldValue value) {
        if (value == null) {
            return List.of();
        }
        if (value instanceof FieldValue.ArrayValue(var elements)) {
            return elements;
        }
        throw unfit("an array", value);
    }

    /** Returns the entries of a map; none if it is not set. */
    static Map<FieldValue, FieldValue> entries(@Nullable FieldValue value) {
        if (value == null) {
            return Map.of();
        }
        if (value instanceof FieldValue.MapValue(var entries)) {
            return entries;
        }
        throw unfit("a map", value);
    }

    /** Returns the weights of a weighted set; none if it is not set. */
    static Map<FieldValue, Integer> weights(@Nullable FieldValue value) {
        if (value == null) {
            return Map.of();
        }
        if (value instanceof FieldValue.WeightedSetValue(var weights)) {
            return weights;
        }
        throw unfit("a weighted set", value);
    }

    private static @Nullable FieldValue computed(
            @Nullable FieldValue value, FieldType type, Operator operator, double operand) {
        if (!(type instanceof FieldType.Primitive primitive) || !primitive.isNumber()) {
            throw unfit("a number", type);
        }
        if (operator == Operator.DIVIDE && operand == 0) {
            return value;
        }
        return switch (primitive) {
            case BYTE -> new FieldValue.IntValue((byte) computed(whole(value), operator, operand));
            case INT -> new FieldValue.IntValue((int) computed(whole(value), operator, operand));
            case LONG -> new FieldValue.LongValue(computed(whole(value), operator, operand));
            case FLOAT ->
                    new FieldValue.FloatValue((float) computed(real(value), operator, operand));
            case FLOAT16 ->
                    new FieldValue.FloatValue(
                            FieldType.Primitive.nearestFloat16(
                                    (float) computed(real(value), operator, operand)));
            case DOUBLE -> new FieldValue.DoubleValue(computed(real(value), operator, operand));
            case STRING, BOOL, URI, RAW, PREDICATE -> throw unfit("a number", type);
        };
    }

    private static long whole(@Nullable FieldValue value) {
        return switch (value) {
            case null -> 0;
            case FieldValue.IntValue(int number) -> number;
            case FieldValue.LongValue(long number) -> number;
            default -> throw unfit("a whole number", value);
        };
    }

    private static double real(@Nullable FieldValue value) {
        return switch (value) {
            case null -> 0;
            case FieldValue.FloatValue(float number) -> number;
            case FieldValue.DoubleValue(double number) -> number;
            default -> throw unfit("a number with a fraction", value);
        };
    }

    /** Exact modulo 2^64 for whole operands; others are computed as doubles and truncated. */
    private static long computed(long number, Operator operator, double operand) {
        long whole = (long) operand;
        if (whole == operand && whole != Long.MAX_VALUE) {
            return switch (operator) {
                case ADD -> number + whole;
                case SUBTRACT -> number - whole;
                case MULTIPLY -> number * whole;
                case DIVIDE -> number / whole;
            };
        }
        double result = computed((double) number, operator, operand);
        return Double.isFinite(result) ? new BigDecimal(result).longValue() : (long) result;
    }

    private static double computed(double number, Operator operator, double operand) {
        return switch (operator) {
            case ADD -> number + operand;
            case SUBTRACT -> number - operand;
            case MULTIPLY -> number * operand;
            case DIVIDE -> number / operand;
        };
    }
}
