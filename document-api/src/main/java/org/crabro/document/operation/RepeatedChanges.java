package org.crabro.document.operation;

import java.util.List;
import java.util.Map;
import org.crabro.document.FieldValue;
import org.jspecify.annotations.Nullable;

/**
 * Limits the bytes that updates of every element write. A short update can copy a long text into
 * each element of a large array.
 */
final class RepeatedChanges {
    private static final long BYTES_MAX = 1 << 27;

    private RepeatedChanges() {}

    /**
     * Checks an update of a field.
     *
     * @param value the field before the update
     * @throws IllegalArgumentException if the update writes too many bytes
     */
    static void check(FieldUpdate update, @Nullable FieldValue value) {
        if (update.path().stream().noneMatch(UpdateStep.Every.class::isInstance)) {
            return;
        }
        long places = places(value, update.path());
        long bytes =
                switch (update.change()) {
                    case FieldChange.Assign(var assigned) -> bytes(assigned);
                    case FieldChange.Add(var added) -> bytes(added);
                    case FieldChange.Removal _,
                            FieldChange.Arithmetic _,
                            FieldChange.ModifyCells _ ->
                            0;
                };
        if (places * bytes > BYTES_MAX) {
            throw new IllegalArgumentException(
                    "the update writes %d bytes into each of %d elements of '%s', at most %d in all"
                            .formatted(bytes, places, update.field(), BYTES_MAX));
        }
    }

    /** Returns how many parts of a value a path leads to. */
    private static long places(@Nullable FieldValue value, List<UpdateStep> path) {
        if (path.isEmpty()) {
            return 1;
        }
        List<UpdateStep> tail = path.subList(1, path.size());
        return switch (path.getFirst()) {
            case UpdateStep.Every _ -> ofEvery(value, tail);
            case UpdateStep.Index(int index) ->
                    value instanceof FieldValue.ArrayValue(var elements) && index < elements.size()
                            ? places(elements.get(index), tail)
                            : 0;
            case UpdateStep.Member(var name) ->
                    places(
                            value instanceof FieldValue.StructValue(var fields)
                                    ? fields.get(name)
                                    : null,
                            tail);
            case UpdateStep.Key(var key) ->
                    places(
                            value instanceof FieldValue.MapValue(var entries)
                                    ? entries.get(key)
                                    : null,
                            tail);
            case UpdateStep.Weight _ -> 1;
        };
    }

    private static long ofEvery(@Nullable FieldValue value, List<UpdateStep> tail) {
        return switch (value) {
            case FieldValue.ArrayValue(var elements) ->
                    elements.stream().mapToLong(each -> places(each, tail)).sum();
            case FieldValue.MapValue(var entries) ->
                    entries.values().stream().mapToLong(each -> places(each, tail)).sum();
            case FieldValue.WeightedSetValue(var weights) -> weights.size();
            case null -> 0;
            case FieldValue.Single _,
                    FieldValue.StructValue _,
                    FieldValue.TensorValue _,
                    FieldValue.MixedTensorValue _ ->
                    0;
        };
    }

    /** Returns about how many bytes a value has in a row. */
    private static long bytes(FieldValue value) {
        return Integer.BYTES
                + switch (value) {
                    case FieldValue.StringValue(var text) -> text.length();
                    case FieldValue.Scalar _ -> Long.BYTES;
                    case FieldValue.ArrayValue(var elements) ->
                            elements.stream().mapToLong(RepeatedChanges::bytes).sum();
                    case FieldValue.WeightedSetValue(var weights) ->
                            weights.keySet().stream().mapToLong(each -> 4 + bytes(each)).sum();
                    case FieldValue.MapValue(var entries) -> bytes(entries);
                    case FieldValue.StructValue(var fields) ->
                            fields.values().stream().mapToLong(RepeatedChanges::bytes).sum();
                    case FieldValue.TensorValue(var tensor) -> (long) Double.BYTES * tensor.size();
                    case FieldValue.MixedTensorValue(var tensor) ->
                            (long) Double.BYTES
                                    * tensor.type().subspaceSize()
                                    * tensor.addresses().size();
                };
    }

    private static long bytes(Map<FieldValue, FieldValue> entries) {
        return entries.entrySet().stream()
                .mapToLong(each -> bytes(each.getKey()) + bytes(each.getValue()))
                .sum();
    }
}
