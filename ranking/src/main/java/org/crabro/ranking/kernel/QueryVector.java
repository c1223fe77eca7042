package org.crabro.ranking.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.jspecify.annotations.Nullable;

/**
 * A query vector in the forms that kernels load it in. Padded with zeros past the end, so that they
 * may load the last step whole. Safe for use by many threads.
 */
final class QueryVector {
    /** The number of padding cells, at least the step of every kernel. */
    private static final int PADDING = 128;

    /** Bytes of the longest vector. */
    static final int ALIGNMENT = 64;

    /** The maximum number of int8 cells whose sums all fit an int. */
    private static final int INT8_CELLS = 1 << 14;

    /** The number of cells. */
    final int size;

    /** The cell type of the rows. */
    final CellType cellType;

    /** The size of a row in bytes. */
    final long rowSize;

    /** The cells, narrowed. */
    final double[] cells;

    /** The sum of the squared cells. */
    final double squaredLength;

    /** The factor that scales the vector to length 1; 0 for a vector of zeros. */
    final double inverseLength;

    /** The sum of the cells. */
    final double sum;

    /**
     * For bfloat16 and int8 cells: the cells in the format of rows, outside the heap. If the row
     * size is a multiple of the longest vector's size, the address is one, too.
     */
    final MemorySegment stored;

    /**
     * Whether machine code compares it: rows consist of whole cache lines, sums of int8 cells fit
     * an int, and no cell is a subnormal float, which the machine code treats as 0.
     */
    final boolean isForMachine;

    /**
     * An upper bound of the error of dot products and squared distances from subnormal floats,
     * which have fewer bits. With {@code n} cells these are {@code n} products with such a cell of
     * the row and {@code n} sums, some of them counted twice.
     */
    final double lost;

    /**
     * For bfloat16 cells: below this squared distance, the computation from lengths and the dot
     * product has too few correct bits.
     */
    final double near;

    // Only some kernels need them. All threads share one object, because addresses point into it.
    private volatile @Nullable VectorForms forms;

    QueryVector(CellType cellType, DenseTensor query) {
        this.cellType = cellType;
        size = query.size();
        rowSize = (long) size * cellType.size();
        cells = new double[size + PADDING];
        double total = 0;
        double squares = 0;
        double largest = 0;
        boolean hasSmall = false;
        for (int i = 0; i < size; i++) {
            cells[i] = cellType.narrow(query.cell(i));
            total += cells[i];
            squares += cells[i] * cells[i];
            double magnitude = Math.abs(cells[i]);
            largest = Math.max(largest, magnitude);
            hasSmall |= magnitude > 0 && magnitude < Float.MIN_NORMAL;
        }
        sum = total;
        squaredLength = squares;
        inverseLength = squares == 0 ? 0 : 1 / Math.sqrt(squares);
        stored = stored();
        near = near();
        lost = 5 * size * (largest + 2) * Float.MIN_NORMAL;
        isForMachine =
                rowSize % ALIGNMENT == 0
                        && !hasSmall
                        && (cellType != CellType.INT8 || size <= INT8_CELLS);
    }

    /**
     * Returns the smallest distance for which the computation from lengths is exact enough. With
     * {@code n} cells, squared lengths {@code x} and {@code q} and squared distance {@code d}, the
     * error of {@code x + q - 2 * dot} is at most {@code (n / 16 + 6) * 0x1p-24 * (2 * x + q)},
     * because sums have sixteen lanes. {@link RowKernels} allows {@code (n + 2) * 0x1p-23 * d}. So
     * {@code d} has to be at least {@code (x + q) * part}, where {@code part} is a little more than
     * {@code (n / 16 + 6) / (n + 2)}. By the triangle inequality {@code x} is at most {@code
     * (sqrt(q) + sqrt(d))^2}, so the smallest such {@code d} solves a quadratic equation.
     */
    private double near() {
        double part = (size / 16.0 + 8) / (size + 2);
        double root = (part + Math.sqrt(part * part + 2 * part * (1 - part))) / (1 - part);
        return squaredLength * root * root;
    }

    private MemorySegment stored() {
        if (cellType != CellType.BFLOAT16 && cellType != CellType.INT8) {
            return MemorySegment.NULL;
        }
        MemorySegment all = Arena.ofAuto().allocate(rowSize, ALIGNMENT);
        if (cellType == CellType.INT8) {
            MemorySegment.copy(bytes(size), 0, all, ValueLayout.JAVA_BYTE, 0, size);
        } else {
            MemorySegment.copy(halves(), 0, all, ScalarRowKernels.SHORT, 0, size);
        }
        return all;
    }

    private short[] halves() {
        short[] halves = new short[size];
        for (int i = 0; i < size; i++) {
            halves[i] = (short) (Float.floatToRawIntBits((float) cells[i]) >>> Short.SIZE);
        }
        return halves;
    }

    /** Returns the address of the first int8 cell; padding follows the cells. */
    byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (int) cells[i];
        }
        return bytes;
    }

    /** Returns the forms for the Vector API. */
    VectorForms forms() {
        VectorForms made = forms;
        return made != null ? made : makeForms();
    }

    private synchronized VectorForms makeForms() {
        VectorForms made = forms;
        if (made == null) {
            made = new VectorForms(this);
            forms = made;
        }
        return made;
    }
}
