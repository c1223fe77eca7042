package org.crabro.config.schema;

import java.util.Optional;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorType;

/**
 * A value that a query brings.
 *
 * @param type {@link TensorType#SCALAR} for a number and for a text
 * @param defaultValue what it is where the query says nothing; zeros where this is empty
 * @param isText whether it is given as a text and worth what that is worth in expressions, so that
 *     it can be compared with fields of texts
 */
public record Input(TensorType type, Optional<Tensor> defaultValue, boolean isText) {
    /** A text; 0, which no text is worth, where the query says nothing. */
    public static final Input TEXT = new Input(TensorType.SCALAR, Optional.empty(), true);

    /** Returns a tensor, or a number. */
    public static Input of(TensorType type, Optional<Tensor> defaultValue) {
        return new Input(type, defaultValue, false);
    }
}
