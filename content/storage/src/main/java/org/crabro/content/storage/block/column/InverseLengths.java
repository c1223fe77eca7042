package org.crabro.content.storage.block.column;

import static org.crabro.content.storage.layout.BlockLayout.INT;
import static org.crabro.content.storage.layout.BlockLayout.LONG;
import static org.crabro.content.storage.layout.BlockLayout.SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.crabro.tensor.CellType;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * The factors that scale stored vectors to length 1. With stored factors, a cosine costs no more
 * than a dot product. The factors are the same on every machine: the squares of the cells are added
 * in {@code double} in a fixed order.
 */
public final class InverseLengths {
    /** Bytes of an inverse length: a little-endian float. */
    public static final int SIZE = Float.BYTES;

    /** The lengths of shorter vectors are cheaper to compute than to store. */
    private static final int CELLS_MIN = 32;

    /** The bits of a float that a bfloat16 stores. */
    private static final int UPPER = 0xffff_0000;

    private InverseLengths() {}

    /**
     * Returns whether factors are stored for tensors of {@code type}. They are not stored for
     * {@code double} cells, because a float would be too coarse.
     */
    public static boolean areKeptFor(TensorType type) {
        return type.dimensions().size() == 1
                && type.dimensions().getFirst() instanceof Dimension.Indexed(_, int size)
                && size >= CELLS_MIN
                && type.cellType() != CellType.DOUBLE;
    }

    /**
     * Returns the inverse length of the vector at {@code offset} bytes. It is 0 if the vector has
     * no direction: for a vector of zeros, and for a vector so short that a float cannot represent
     * the inverse.
     *
     * @param size the number of cells
     */
    public static float of(CellType type, MemorySegment cells, long offset, int size) {
        double squares =
                type == CellType.BFLOAT16
                        ? bfloat16Squares(cells, offset, size)
                        : squares(type, cells, offset, size);
        float inverse = (float) (1 / Math.sqrt(squares));
        return inverse == Float.POSITIVE_INFINITY ? 0 : inverse;
    }

    private static double squares(CellType type, MemorySegment cells, long offset, int size) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        int i = 0;
        for (; i <= size - 4; i += 4) {
            a += square(type, cells, offset, i);
            b += square(type, cells, offset, i + 1);
            c += square(type, cells, offset, i + 2);
            d += square(type, cells, offset, i + 3);
        }
        for (; i < size; i++) {
            a += square(type, cells, offset, i);
        }
        return a + b + (c + d);
    }

    /** The fast path for bfloat16, the most common cell type: reads four cells at once. */
    private static double bfloat16Squares(MemorySegment cells, long offset, int size) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        int i = 0;
        for (; i <= size - 4; i += 4) {
            long four = cells.get(LONG, offset + (long) i * Short.BYTES);
            a += square((int) four << Short.SIZE);
            b += square((int) four & UPPER);
            c += square((int) (four >>> Short.SIZE) & UPPER);
            d += square((int) (four >>> Integer.SIZE) & UPPER);
        }
        for (; i < size; i++) {
            a += square(CellType.BFLOAT16, cells, offset, i);
        }
        return a + b + (c + d);
    }

    private static double square(int floatBits) {
        double cell = Float.intBitsToFloat(floatBits);
        return cell * cell;
    }

    private static double square(CellType type, MemorySegment cells, long offset, int index) {
        double cell = cell(type, cells, offset + (long) index * type.size());
        return cell * cell;
    }

    private static double cell(CellType type, MemorySegment cells, long at) {
        return switch (type) {
            case DOUBLE -> Double.longBitsToDouble(cells.get(LONG, at));
            case FLOAT -> Float.intBitsToFloat(cells.get(INT, at));
            case BFLOAT16 -> Float.intBitsToFloat(cells.get(SHORT, at) << 16);
            case INT8 -> cells.get(ValueLayout.JAVA_BYTE, at);
        };
    }
}
