package org.crabro.container.processing;

import org.crabro.document.FieldValue;
import org.crabro.document.memory.ValueMeter;

/** Charges the memory of the current request for the values that indexing scripts make. */
final class MadeValues {
    /** A text value with its place in a list, in bytes. */
    private static final int TEXT = 96;

    /** The place of an element in a list and its copy. */
    private static final int ELEMENT = 24;

    /** The place of an entry in a map and its copy. */
    private static final int ENTRY = 104;

    private static final int CHARACTER = 2;

    private final ValueMeter meter = new ValueMeter();

    /** Adds a text that becomes an element of an array. */
    void part(String text) {
        meter.add(TEXT + (long) CHARACTER * text.length());
    }

    /** Adds the result of a step, without the values in it, which other steps have made. */
    void made(FieldValue value) {
        meter.add(
                switch (value) {
                    case FieldValue.StringValue(String text) ->
                            TEXT + (long) CHARACTER * text.length();
                    case FieldValue.ArrayValue(var elements) -> (long) ELEMENT * elements.size();
                    case FieldValue.WeightedSetValue(var weights) -> (long) ENTRY * weights.size();
                    case FieldValue.MapValue(var values) -> (long) ENTRY * values.size();
                    case FieldValue.StructValue(var fields) -> (long) ENTRY * fields.size();
                    case FieldValue.TensorValue(var tensor) -> (long) Double.BYTES * tensor.size();
                    case FieldValue.MixedTensorValue(var tensor) ->
                            (long) ENTRY * tensor.addresses().size();
                    case FieldValue.Scalar _ -> ELEMENT;
                });
    }

    /** Adds texts that are joined next. */
    void joined(long characters) {
        meter.add(TEXT + CHARACTER * characters);
    }
}
