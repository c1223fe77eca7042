package org.crabro.document;

import java.util.List;
import org.crabro.tensor.DenseTensor;

/** The value of a field. A field that is not set has none. */
public sealed interface FieldValue {
    record StringValue(String value) implements FieldValue {}

    record BoolValue(boolean value) implements FieldValue {}

    record IntValue(int value) implements FieldValue {}

    record LongValue(long value) implements FieldValue {}

    record FloatValue(float value) implements FieldValue {}

    record DoubleValue(double value) implements FieldValue {}

    record ArrayValue(List<FieldValue> elements) implements FieldValue {
        public ArrayValue {
            elements = List.copyOf(elements);
        }
    }

    record TensorValue(DenseTensor tensor) implements FieldValue {}
}
