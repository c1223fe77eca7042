package org.crabro.protocol.search;

import org.crabro.tensor.Tensor;

/** The value of a query input. */
public sealed interface QueryInput {
    record NumberInput(double value) implements QueryInput {}

    record TensorInput(Tensor value) implements QueryInput {}
}
