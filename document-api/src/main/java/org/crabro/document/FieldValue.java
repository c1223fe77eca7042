package org.crabro.document;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;

/** The value of a field. A field that is not set has no value. */
public sealed interface FieldValue {
    /** A value without parts. */
    sealed interface Single extends FieldValue {}

    /** A number or a truth value, whose size does not depend on the value. */
    sealed interface Scalar extends Single {}

    /** A value that contains other values. */
    sealed interface Composite extends FieldValue {}

    record StringValue(String value) implements Single {}

    record BoolValue(boolean value) implements Scalar {}

    record IntValue(int value) implements Scalar {}

    record LongValue(long value) implements Scalar {}

    record FloatValue(float value) implements Scalar {}

    record DoubleValue(double value) implements Scalar {}

    record ArrayValue(List<FieldValue> elements) implements Composite {
        public ArrayValue {
            elements = List.copyOf(elements);
        }
    }

    /**
     * A weighted set.
     *
     * @param weights by element, in their original order
     */
    record WeightedSetValue(Map<FieldValue, Integer> weights) implements Composite {
        public WeightedSetValue {
            weights = Collections.unmodifiableMap(new LinkedHashMap<>(weights));
        }
    }

    /**
     * A map.
     *
     * @param values by key, in their original order
     */
    record MapValue(Map<FieldValue, FieldValue> values) implements Composite {
        public MapValue {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        }
    }

    /**
     * A struct.
     *
     * @param fields those that are set, by name, in their original order
     */
    record StructValue(Map<String, FieldValue> fields) implements Composite {
        public StructValue {
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        }
    }

    record TensorValue(DenseTensor tensor) implements FieldValue {}

    record MixedTensorValue(MixedTensor tensor) implements FieldValue {}
}
