package org.crabro.content.storage.block;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.crabro.document.FieldValue;

/** Counts the heap bytes of the objects of values, with references of 4 bytes. */
final class HeapOf {
    private HeapOf() {}

    static long fields(Map<String, FieldValue> fields) {
        return list(2L * fields.size()) + all(fields.values());
    }

    private static long all(Collection<FieldValue> values) {
        return values.stream().mapToLong(HeapOf::value).sum();
    }

    private static long value(FieldValue value) {
        return switch (value) {
            case FieldValue.StringValue(String text) -> 16 + string(text);
            case FieldValue.BoolValue _, FieldValue.IntValue _, FieldValue.FloatValue _ -> 16;
            case FieldValue.LongValue _, FieldValue.DoubleValue _ -> 24;
            case FieldValue.ArrayValue(List<FieldValue> elements) ->
                    16 + list(elements.size()) + all(elements);
            case FieldValue.WeightedSetValue(var weights) ->
                    map(weights.size()) + all(weights.keySet()) + 16L * weights.size();
            case FieldValue.MapValue(var values) ->
                    map(values.size()) + all(values.keySet()) + all(values.values());
            case FieldValue.StructValue(var fields) -> map(fields.size()) + all(fields.values());
            case FieldValue.TensorValue(var tensor) -> 16 + 24 + array(8, tensor.size());
            case FieldValue.MixedTensorValue(var tensor) ->
                    16
                            + 24
                            + list(tensor.addresses().size())
                            + array(
                                    8,
                                    (long) tensor.addresses().size() * tensor.type().subspaceSize())
                            + tensor.addresses().stream().mapToLong(HeapOf::labels).sum();
        };
    }

    private static long labels(List<String> labels) {
        return list(labels.size()) + labels.stream().mapToLong(HeapOf::string).sum();
    }

    /** An immutable list, with its own fields, and an array if it has more than 2 elements. */
    private static long list(long size) {
        return size <= 2 ? 24 : 24 + array(4, size);
    }

    /** A record, the immutable view, and a map in the order of its entries. */
    private static long map(long size) {
        long table = Math.max(16, 2 * Long.highestOneBit(size * 4 / 3 + 1));
        return 16 + 32 + 56 + array(4, table) + 40 * size;
    }

    private static long string(String text) {
        boolean isLatin = text.chars().allMatch(c -> c <= 0xff);
        return 24 + array(isLatin ? 1 : 2, text.length());
    }

    private static long array(int width, long length) {
        return (16 + width * length + 7) / 8 * 8;
    }
}
