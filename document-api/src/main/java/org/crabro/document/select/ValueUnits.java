package org.crabro.document.select;

import org.crabro.document.FieldValue;

/** The units of work to decode and traverse a value of a field. */
final class ValueUnits {
    private static final int ELEMENT_UNITS = 8;
    private static final int CHARS_PER_UNIT = 4;

    private ValueUnits() {}

    static long of(FieldValue value) {
        return ELEMENT_UNITS
                + switch (value) {
                    case FieldValue.StringValue(var text) -> text.length() / CHARS_PER_UNIT;
                    case FieldValue.ArrayValue(var elements) -> sum(elements);
                    case FieldValue.WeightedSetValue(var weights) -> sum(weights.keySet());
                    case FieldValue.MapValue(var values) ->
                            sum(values.keySet()) + sum(values.values());
                    case FieldValue.StructValue(var fields) -> sum(fields.values());
                    case FieldValue.TensorValue(var tensor) -> tensor.size();
                    case FieldValue.MixedTensorValue(var tensor) ->
                            (long) tensor.addresses().size()
                                    * (ELEMENT_UNITS + tensor.type().subspaceSize());
                    case FieldValue.Scalar _ -> 0;
                };
    }

    private static long sum(Iterable<FieldValue> values) {
        long sum = 0;
        for (FieldValue each : values) {
            sum += of(each);
        }
        return sum;
    }
}
