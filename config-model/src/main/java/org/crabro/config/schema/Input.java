package org.crabro.config.schema;

import java.util.Optional;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorType;

/**
 * An input of rank expressions that a query sets.
 *
 * @param type {@link TensorType#SCALAR} for a number and for a text
 * @param defaultValue the value if the query sets none; empty means zeros
 * @param isText whether queries set a text; in expressions it has the numeric value that fields
 *     with the same text have
 */
public record Input(TensorType type, Optional<Tensor> defaultValue, boolean isText) {
    /** A text; its default is 0, which is the value of no text. */
    public static final Input TEXT = new Input(TensorType.SCALAR, Optional.empty(), true);

    /** Returns a tensor, or a number. */
    public static Input of(TensorType type, Optional<Tensor> defaultValue) {
        return new Input(type, defaultValue, false);
    }
}
