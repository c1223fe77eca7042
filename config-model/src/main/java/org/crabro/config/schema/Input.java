package org.crabro.config.schema;

import java.util.Optional;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorType;

/**
 * A value that a query brings.
 *
 * @param type {@link TensorType#SCALAR} for a number
 * @param defaultValue what it is where the query says nothing; zeros where this is empty
 */
public record Input(TensorType type, Optional<Tensor> defaultValue) {}
