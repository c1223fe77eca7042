package org.crabro.tensor;

import java.util.Map;

/** A tensor: a set of cells, each with one label per dimension of the type. Immutable. */
public sealed interface Tensor permits DenseTensor, MixedTensor {
    TensorType type();

    /** Returns the same cells as those of another type, which has the same dimensions. */
    Tensor as(TensorType other);

    /** Returns the empty tensor of {@code type}; with all cells 0 if the type is dense. */
    static Tensor empty(TensorType type) {
        return type.isDense()
                ? DenseTensor.of(type, new double[type.cellCount()])
                : MixedTensor.of(type, Map.of());
    }
}
