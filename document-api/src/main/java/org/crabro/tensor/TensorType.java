package org.crabro.tensor;

import java.util.List;
import java.util.Locale;

/**
 * The type of a tensor, such as {@code tensor<bfloat16>(x[384])}.
 *
 * @param dimensions sorted by name, names distinct; none for a scalar, which is {@code double}
 */
public record TensorType(CellType cellType, List<Dimension> dimensions) {
    /** The type of a number. */
    public static final TensorType SCALAR = new TensorType(CellType.DOUBLE, List.of());

    /**
     * @throws IllegalArgumentException if the dimensions are not sorted and distinct, if there are
     *     no dimensions and the cells are not double, or if the indexed dimensions have 2^31 cells
     *     or more
     */
    public TensorType {
        dimensions = List.copyOf(dimensions);
        if (dimensions.isEmpty() && cellType != CellType.DOUBLE) {
            throw new IllegalArgumentException(
                    "a tensor without dimensions has cells of type double, not "
                            + cellType.name().toLowerCase(Locale.ROOT));
        }
        for (int i = 1; i < dimensions.size(); i++) {
            String previous = dimensions.get(i - 1).name();
            String name = dimensions.get(i).name();
            if (previous.equals(name)) {
                throw new IllegalArgumentException("two dimensions called '" + name + "'");
            }
            if (previous.compareTo(name) > 0) {
                throw new IllegalArgumentException(
                        "dimension '" + name + "' is not sorted: it follows '" + previous + "'");
            }
        }
        if (subspaceCells(dimensions) > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "a tensor holds at most 2^31-1 values in its indexed dimensions");
        }
    }

    /**
     * Parses a type; dimensions can be in any order.
     *
     * @throws TensorSyntaxException if the text has a syntax error
     */
    public static TensorType parse(String text) {
        return new TensorParser(text).wholeType();
    }

    /** Returns whether all dimensions are indexed; true for a scalar. */
    public boolean isDense() {
        for (Dimension dimension : dimensions) {
            if (dimension instanceof Dimension.Mapped) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether a tensor of type {@code given} can be stored as one of this type: the
     * dimensions are equal, and cells of this type are at least as large, or are bfloat16 for
     * float.
     */
    public boolean accepts(TensorType given) {
        boolean isRounded = given.cellType == CellType.FLOAT && cellType == CellType.BFLOAT16;
        return dimensions.equals(given.dimensions)
                && (cellType.size() >= given.cellType.size() || isRounded);
    }

    /**
     * Returns the number of cells of a dense value: the product of the sizes; 1 for a scalar.
     *
     * @throws IllegalStateException if the type is not dense
     */
    public int cellCount() {
        if (!isDense()) {
            throw new IllegalStateException(this + " is not dense: it has no fixed count of cells");
        }
        return subspaceSize();
    }

    /**
     * Returns the number of cells of a subspace: the product of the sizes of the indexed
     * dimensions; 1 if there are none.
     */
    public int subspaceSize() {
        return (int) subspaceCells(dimensions);
    }

    /** Returns the type of a subspace, with only the indexed dimensions. */
    public TensorType subspaceType() {
        if (isDense() && !dimensions.isEmpty()) {
            return this;
        }
        List<Dimension> indexed =
                dimensions.stream().filter(Dimension.Indexed.class::isInstance).toList();
        return indexed.isEmpty() ? SCALAR : new TensorType(cellType, indexed);
    }

    /** Returns the number of mapped dimensions. */
    public int mappedCount() {
        int count = 0;
        for (Dimension dimension : dimensions) {
            count += dimension instanceof Dimension.Mapped ? 1 : 0;
        }
        return count;
    }

    private static long subspaceCells(List<Dimension> dimensions) {
        long count = 1;
        // By index, because this is called for each document, and an iterator may be allocated on
        // each call.
        for (int i = 0; i < dimensions.size(); i++) {
            if (dimensions.get(i) instanceof Dimension.Indexed(_, int size)) {
                count *= size;
                if (count > Integer.MAX_VALUE) {
                    // Further factors could overflow a long.
                    return count;
                }
            }
        }
        return count;
    }

    /** Returns the canonical text: no blanks, dimensions by name, {@code <double>} left out. */
    @Override
    public String toString() {
        var text = new StringBuilder("tensor");
        if (cellType != CellType.DOUBLE) {
            text.append('<').append(cellType.name().toLowerCase(Locale.ROOT)).append('>');
        }
        text.append('(');
        String separator = "";
        for (Dimension dimension : dimensions) {
            text.append(separator).append(dimension.name());
            switch (dimension) {
                case Dimension.Mapped _ -> text.append("{}");
                case Dimension.Indexed(_, int size) -> text.append('[').append(size).append(']');
            }
            separator = ",";
        }
        return text.append(')').toString();
    }
}
