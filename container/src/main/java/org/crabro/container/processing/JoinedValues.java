package org.crabro.container.processing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import org.crabro.document.FieldValue;
import org.crabro.document.ShownValue;
import org.crabro.tensor.TensorText;

/** Values with parts, put together. */
final class JoinedValues {
    private JoinedValues() {}

    /** Returns the texts of {@code values}, one after the other. */
    static String text(List<FieldValue> values) {
        return values.stream().map(JoinedValues::text).collect(Collectors.joining());
    }

    /** Returns the text of a value: {@code [a, b]} for an array, {@code {a=1, b=2}} for others. */
    private static String text(FieldValue value) {
        return switch (value) {
            case FieldValue.ArrayValue(var elements) ->
                    elements.stream()
                            .map(JoinedValues::text)
                            .collect(Collectors.joining(", ", "[", "]"));
            case FieldValue.WeightedSetValue(var weights) ->
                    weights.entrySet().stream()
                            .map(each -> text(each.getKey()) + "=" + each.getValue())
                            .collect(Collectors.joining(", ", "{", "}"));
            case FieldValue.MapValue(var entries) ->
                    entries.entrySet().stream()
                            .map(each -> text(each.getKey()) + "=" + text(each.getValue()))
                            .collect(Collectors.joining(", ", "{", "}"));
            case FieldValue.StructValue(var fields) ->
                    fields.entrySet().stream()
                            .map(each -> each.getKey() + "=" + text(each.getValue()))
                            .collect(Collectors.joining(", ", "{", "}"));
            case FieldValue.TensorValue(var tensor) -> TensorText.of(tensor);
            case FieldValue.MixedTensorValue(var tensor) -> TensorText.of(tensor);
            case FieldValue.Single _ -> ValueFunctions.text(value);
        };
    }

    /**
     * Returns a collection with the contents of all {@code values}, at least one; of equal
     * elements, keys and names the last one wins.
     */
    static FieldValue of(List<FieldValue> values) {
        return switch (values.getFirst()) {
            case FieldValue.ArrayValue _ -> {
                var elements = new ArrayList<FieldValue>();
                for (FieldValue value : values) {
                    if (!(value instanceof FieldValue.ArrayValue(var more))) {
                        throw unlike(values.getFirst(), value);
                    }
                    elements.addAll(more);
                }
                yield new FieldValue.ArrayValue(elements);
            }
            case FieldValue.WeightedSetValue _ -> {
                var weights = new LinkedHashMap<FieldValue, Integer>();
                for (FieldValue value : values) {
                    if (!(value instanceof FieldValue.WeightedSetValue(var more))) {
                        throw unlike(values.getFirst(), value);
                    }
                    weights.putAll(more);
                }
                yield new FieldValue.WeightedSetValue(weights);
            }
            case FieldValue.MapValue _ -> {
                var all = new LinkedHashMap<FieldValue, FieldValue>();
                for (FieldValue value : values) {
                    if (!(value instanceof FieldValue.MapValue(var more))) {
                        throw unlike(values.getFirst(), value);
                    }
                    all.putAll(more);
                }
                yield new FieldValue.MapValue(all);
            }
            case FieldValue.StructValue _ -> {
                var fields = new LinkedHashMap<String, FieldValue>();
                for (FieldValue value : values) {
                    if (!(value instanceof FieldValue.StructValue(var more))) {
                        throw unlike(values.getFirst(), value);
                    }
                    fields.putAll(more);
                }
                yield new FieldValue.StructValue(fields);
            }
            case FieldValue.Single _, FieldValue.TensorValue _, FieldValue.MixedTensorValue _ ->
                    throw unlike(values.getFirst(), values.getLast());
        };
    }

    private static UnfitStepException unlike(FieldValue first, FieldValue other) {
        return new UnfitStepException(
                "cannot join %s and %s".formatted(ShownValue.of(first), ShownValue.of(other)));
    }
}
