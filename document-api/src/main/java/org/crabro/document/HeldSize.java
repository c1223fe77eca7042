package org.crabro.document;

import java.util.Collection;
import java.util.Map;

/**
 * The approximate heap size of values in bytes. It counts the parts that grow with their texts and
 * tensors.
 */
public final class HeldSize {
    /** The size of a number, or of the wrapper of another value. */
    private static final long OF_VALUE = 24;

    private HeldSize() {}

    /** Returns the sum for all {@code values}. */
    public static long of(Collection<FieldValue> values) {
        long sum = 0;
        for (FieldValue value : values) {
            sum += of(value);
        }
        return sum;
    }

    private static long of(Map<FieldValue, ?> entries) {
        return of(entries.keySet()) + OF_VALUE * entries.size();
    }

    private static long of(FieldValue value) {
        return OF_VALUE
                + switch (value) {
                    case FieldValue.StringValue(String text) -> text.length();
                    case FieldValue.Scalar _ -> 0;
                    case FieldValue.ArrayValue(var elements) -> of(elements);
                    case FieldValue.WeightedSetValue(var weights) -> of(weights);
                    case FieldValue.MapValue(var values) -> of(values) + of(values.values());
                    case FieldValue.StructValue(var fields) -> of(fields.values());
                    case FieldValue.TensorValue(var tensor) -> (long) Double.BYTES * tensor.size();
                    case FieldValue.MixedTensorValue(var tensor) ->
                            tensor.addresses().size()
                                    * (OF_VALUE
                                            + (long) Double.BYTES * tensor.type().subspaceSize());
                };
    }
}
