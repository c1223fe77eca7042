package org.crabro.ranking.onnx;

import org.crabro.tensor.CellType;
import org.crabro.tensor.TensorType;

/**
 * Converts the values of a model to cells of a tensor: one cell per value, or, for int8 cells, one
 * cell per eight values.
 */
public final class EmbeddedCells {
    private EmbeddedCells() {}

    /** Returns the number of model values in a tensor, or in each of its subspaces. */
    static int valueCount(TensorType type) {
        return type.cellType() == CellType.INT8
                ? Math.multiplyExact(type.subspaceSize(), Byte.SIZE)
                : type.subspaceSize();
    }

    /**
     * Checks that a type needs no more values than there are.
     *
     * @param available the number of values; -1 for any number
     * @param of the source of the values, with a blank before it; may be empty
     * @throws IllegalArgumentException with the reason, if the type needs more
     */
    static void requireValues(TensorType type, long available, String of) {
        if (available >= 0 && valueCount(type) > available) {
            throw new IllegalArgumentException(
                    "%s takes %d values%s, but the model gives %d"
                            .formatted(type, valueCount(type), of, available));
        }
    }

    /**
     * Returns the cells for {@code values}. For int8 cells, each bit is set if its value is above
     * 0.
     */
    public static double[] cells(TensorType type, double[] values) {
        if (type.cellType() != CellType.INT8) {
            return values;
        }
        double[] cells = new double[values.length / Byte.SIZE];
        for (int i = 0; i < cells.length; i++) {
            int bits = 0;
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                bits = bits << 1 | (values[i * Byte.SIZE + bit] > 0 ? 1 : 0);
            }
            cells[i] = (byte) bits;
        }
        return cells;
    }
}
