package org.crabro.tensor;

import java.util.Map;

/** A tensor: cells, each at one label per dimension of the type. Immutable. */
public sealed interface Tensor permits DenseTensor, MixedTensor {
    TensorType type();

    /** Returns the tensor of {@code type} that has nothing in it: zeros where it is dense. */
    static Tensor empty(TensorType type) {
        return type.isDense()
                ? DenseTensor.of(type, new double[type.cellCount()])
                : MixedTensor.of(type, Map.of());
    }
}
