package org.crabro.document;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;

/** The value of a field. A field that is not set has no value. */
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

    /**
     * A weighted set.
     *
     * @param weights by element, in their original order
     */
    record WeightedSetValue(Map<FieldValue, Integer> weights) implements FieldValue {
        public WeightedSetValue {
            weights = Collections.unmodifiableMap(new LinkedHashMap<>(weights));
        }
    }

    /**
     * A map.
     *
     * @param values by key, in their original order
     */
    record MapValue(Map<FieldValue, FieldValue> values) implements FieldValue {
        public MapValue {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        }
    }

    /**
     * A struct.
     *
     * @param fields those that are set, by name, in their original order
     */
    record StructValue(Map<String, FieldValue> fields) implements FieldValue {
        public StructValue {
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        }
    }

    record TensorValue(DenseTensor tensor) implements FieldValue {}

    record MixedTensorValue(MixedTensor tensor) implements FieldValue {}
}
