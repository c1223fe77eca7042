package org.crabro.tensor;

import java.util.Arrays;

/**
 * A tensor whose dimensions are all indexed. Cells are in standard order: row-major, the
 * alphabetically last dimension fastest. Immutable; equal by type and cells.
 */
public final class DenseTensor implements Tensor {
    /** The maximum number of cells of a value from outside, in text or JSON: 128 MiB of doubles. */
    public static final int CELL_COUNT_MAX = 1 << 24;

    private final TensorType type;
    private final double[] cells;

    private DenseTensor(TensorType type, double[] cells) {
        this.type = type;
        this.cells = cells;
    }

    /**
     * Returns a tensor of {@code cells}, each converted to the precision of the type.
     *
     * @throws IllegalArgumentException if {@code type} is not dense or has another number of cells
     */
    public static DenseTensor of(TensorType type, double[] cells) {
        if (!type.isDense() || cells.length != type.cellCount()) {
            throw new IllegalArgumentException(cells.length + " cells for " + type);
        }
        return ofOwned(type, cells.clone());
    }

    /**
     * Returns a tensor of {@code cells}, which it converts in place and keeps.
     *
     * @param cells as many as the dense type has
     */
    static DenseTensor ofOwned(TensorType type, double[] cells) {
        for (int i = 0; i < cells.length; i++) {
            cells[i] = type.cellType().narrow(cells[i]);
        }
        return new DenseTensor(type, cells);
    }

    /**
     * Parses a tensor: a type, a colon and a value, such as {@code tensor<float>(x[3]):[1,2,3]}, or
     * a number.
     *
     * @throws TensorSyntaxException if the text is another one or has dimensions that are not
     *     indexed; the message contains the position
     */
    public static DenseTensor parse(String text) {
        return new TensorParser(text).wholeTensor();
    }

    /**
     * Parses a tensor of type {@code type}: a value, such as {@code [1,2,3]}, with or without a
     * type before it that {@code type} {@linkplain TensorType#accepts accepts}.
     *
     * @throws TensorSyntaxException if the text is not a tensor of that type; the message contains
     *     the position
     */
    public static DenseTensor parse(String text, TensorType type) {
        return new TensorParser(text).wholeTensor(type);
    }

    @Override
    public TensorType type() {
        return type;
    }

    @Override
    public DenseTensor as(TensorType other) {
        return other.equals(type) ? this : of(other, cells);
    }

    /** Returns the number of cells. */
    public int size() {
        return cells.length;
    }

    /** Returns the cell at {@code index} in standard order. */
    public double cell(int index) {
        return cells[index];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DenseTensor that
                && type.equals(that.type)
                && Arrays.equals(cells, that.cells);
    }

    @Override
    public int hashCode() {
        return 31 * type.hashCode() + Arrays.hashCode(cells);
    }

    /**
     * Returns the type, a colon, and the cells in nested lists, in the form that {@link #parse}
     * accepts.
     */
    @Override
    public String toString() {
        return TensorText.of(this);
    }
}
