package org.crabro.tensor;

import java.util.List;

/**
 * The type of a tensor, such as {@code tensor<bfloat16>(x[384])}.
 *
 * @param dimensions sorted by name, names distinct; none for a scalar, which is {@code double}
 */
public record TensorType(CellType cellType, List<Dimension> dimensions) {
    /** The type of a number. */
    public static final TensorType SCALAR = new TensorType(CellType.DOUBLE, List.of());

    public TensorType {
        dimensions = List.copyOf(dimensions);
    }

    /**
     * Returns the type written as {@code text}.
     *
     * @throws TensorSyntaxException if it is not one
     */
    public static TensorType parse(String text) {
        throw new UnsupportedOperationException(text);
    }

    /** Returns whether all dimensions are indexed; true for a scalar. */
    public boolean isDense() {
        return dimensions.stream().allMatch(Dimension.Indexed.class::isInstance);
    }

    /** Returns how many cells a dense value has: the product of the sizes. */
    public int cellCount() {
        throw new UnsupportedOperationException();
    }

    /** Returns the canonical text: no blanks, dimensions by name, {@code <double>} left out. */
    @Override
    public String toString() {
        throw new UnsupportedOperationException();
    }
}
