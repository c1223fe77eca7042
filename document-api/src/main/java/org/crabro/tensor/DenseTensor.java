package org.crabro.tensor;

import java.util.Arrays;

/**
 * A tensor whose dimensions are all indexed. Cells lie in standard order: row-major, the
 * alphabetically last dimension fastest. Immutable; equal by type and cells.
 */
public final class DenseTensor {
    private final TensorType type;
    private final double[] cells;

    private DenseTensor(TensorType type, double[] cells) {
        this.type = type;
        this.cells = cells;
    }

    /**
     * Returns a tensor of {@code cells}, each narrowed to the type's cells.
     *
     * @throws IllegalArgumentException if {@code type} is not dense or the count is not its own
     */
    public static DenseTensor of(TensorType type, double[] cells) {
        if (!type.isDense() || cells.length != type.cellCount()) {
            throw new IllegalArgumentException(cells.length + " cells for " + type);
        }
        double[] narrowed = new double[cells.length];
        for (int i = 0; i < cells.length; i++) {
            narrowed[i] = type.cellType().narrow(cells[i]);
        }
        return new DenseTensor(type, narrowed);
    }

    public TensorType type() {
        return type;
    }

    /** Returns how many cells there are. */
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

    @Override
    public String toString() {
        return type + ":" + Arrays.toString(cells);
    }
}
