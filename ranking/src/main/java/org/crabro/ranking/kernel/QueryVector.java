package org.crabro.ranking.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;

/**
 * A query vector in the forms that kernels load it in. Padded with zeros past the end, so that they
 * may load the last step whole. Immutable; arrays that the cell type does not need are empty.
 */
final class QueryVector {
    /** At least as many cells as any step of a kernel is wide. */
    private static final int PADDING = 128;

    private static final int ALIGNMENT = 64;

    /** The most of which all sums fit an int. */
    private static final int INT8_CELLS = 1 << 14;

    /** How many cells there are. */
    final int size;

    /** The type of the cells that it is compared with. */
    final CellType cellType;

    /** Bytes of a row that it is compared with. */
    final long rowSize;

    /** The cells, narrowed. */
    final double[] cells;

    /** The sum of the squared cells. */
    final double squaredLength;

    /** What the vector is multiplied by to become as long as 1; 0 for one of zeros. */
    final double inverseLength;

    /** The sum of the cells. */
    final double sum;

    /** For float cells. */
    final float[] floats;

    /** For bfloat16 cells: those with even numbers, which are the lower halves of ints. */
    final float[] evens;

    /** For bfloat16 cells: those with odd numbers. */
    final float[] odds;

    /**
     * For any but double cells: the same outside the heap without padding, from a multiple of the
     * longest vector's size on; {@link #floats}, {@link #evens} and then {@link #odds} and {@link
     * #stored}, or {@link #bytes}.
     */
    final MemorySegment aligned;

    /**
     * For bfloat16 and int8 cells: the cells as rows have them, outside the heap, from a multiple
     * of the longest vector's size on where rows are multiples of it.
     */
    final MemorySegment stored;

    /**
     * Whether machine code compares it: rows are made of whole cache lines, sums of int8 cells fit
     * an int, and no cell is too small for a float with all its bits, which counts as 0 there.
     */
    final boolean isForMachine;

    /**
     * At least what dot products and squared distances with it lose of numbers that are too small
     * for floats with all their bits: with {@code n} cells, as many products of such a cell of the
     * row, and as many sums, some of them twice.
     */
    final double lost;

    /**
     * For bfloat16 cells: rows whose squared distance is less are too near for it to be computed
     * from lengths and the dot product.
     */
    final double near;

    /** For int8 cells. */
    final int[] ints;

    /** For int8 cells. */
    final byte[] bytes;

    /** For int8 cells: outside the heap, from a multiple of the longest vector's size on. */
    final MemorySegment shorts;

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
            cells[i] = cellType.nearest(query.cell(i));
            total += cells[i];
            squares += cells[i] * cells[i];
            double magnitude = Math.abs(cells[i]);
            largest = Math.max(largest, magnitude);
            hasSmall |= magnitude > 0 && magnitude < Float.MIN_NORMAL;
        }
        sum = total;
        squaredLength = squares;
        inverseLength = squares == 0 ? 0 : 1 / Math.sqrt(squares);
        floats = cellType == CellType.FLOAT ? floats(0, 1) : new float[0];
        boolean isHalf = cellType == CellType.BFLOAT16;
        evens = isHalf ? floats(0, 2) : new float[0];
        odds = isHalf ? floats(1, 2) : new float[0];
        boolean isByte = cellType == CellType.INT8;
        ints = isByte ? Arrays.stream(cells).mapToInt(cell -> (int) cell).toArray() : new int[0];
        bytes = new byte[ints.length];
        for (int i = 0; i < ints.length; i++) {
            bytes[i] = (byte) ints[i];
        }
        shorts = isByte ? shorts() : MemorySegment.NULL;
        aligned = aligned();
        stored = stored();
        near = near();
        lost = 5 * size * (largest + 2) * Float.MIN_NORMAL;
        isForMachine =
                rowSize % ALIGNMENT == 0
                        && !hasSmall
                        && (cellType != CellType.INT8 || size <= INT8_CELLS);
    }

    /**
     * With {@code n} cells, {@code x} and {@code q} for the squared lengths and {@code d} for the
     * squared distance, {@code x + q - 2 * dot} is off by at most {@code (n / 16 + 6) * 0x1p-24 *
     * (2 * x + q)}, as sums are of sixteen lanes; {@link RowKernels} allows {@code (n + 2) *
     * 0x1p-23 * d}. So {@code d} has to be at least {@code (x + q) * part}, where {@code part} is a
     * little more than {@code (n / 16 + 6) / (n + 2)}. By the triangle inequality {@code x} is at
     * most {@code (sqrt(q) + sqrt(d))^2}: the smallest such {@code d} solves a quadratic equation.
     */
    private double near() {
        double part = (size / 16.0 + 8) / (size + 2);
        double root = (part + Math.sqrt(part * part + 2 * part * (1 - part))) / (1 - part);
        return squaredLength * root * root;
    }

    private MemorySegment shorts() {
        MemorySegment all = Arena.ofAuto().allocate((long) size * Short.BYTES, ALIGNMENT);
        for (int i = 0; i < size; i++) {
            all.set(ScalarRowKernels.SHORT, (long) i * Short.BYTES, (short) ints[i]);
        }
        return all;
    }

    private MemorySegment aligned() {
        if (cellType == CellType.DOUBLE) {
            return MemorySegment.NULL;
        }
        long byteSize =
                switch (cellType) {
                    case FLOAT -> (long) size * Float.BYTES;
                    case BFLOAT16 -> (long) size * (Float.BYTES + Short.BYTES);
                    case INT8 -> size;
                    case DOUBLE -> throw new AssertionError();
                };
        MemorySegment all = Arena.ofAuto().allocate(byteSize, ALIGNMENT);
        switch (cellType) {
            case FLOAT -> MemorySegment.copy(floats, 0, all, ScalarRowKernels.FLOAT, 0, size);
            case BFLOAT16 -> {
                int even = size - size / 2;
                long rest = (long) even * Float.BYTES;
                MemorySegment.copy(evens, 0, all, ScalarRowKernels.FLOAT, 0, even);
                MemorySegment.copy(odds, 0, all, ScalarRowKernels.FLOAT, rest, size - even);
                for (int i = 0; i < size; i++) {
                    int bits = Float.floatToRawIntBits((float) cells[i]);
                    long at = (long) size * Float.BYTES + (long) i * Short.BYTES;
                    all.set(ScalarRowKernels.SHORT, at, (short) (bits >>> Short.SIZE));
                }
            }
            case INT8 -> MemorySegment.copy(bytes, 0, all, ValueLayout.JAVA_BYTE, 0, size);
            case DOUBLE -> throw new AssertionError();
        }
        return all;
    }

    private MemorySegment stored() {
        return switch (cellType) {
            case BFLOAT16 -> aligned.asSlice((long) size * Float.BYTES);
            case INT8 -> aligned;
            case DOUBLE, FLOAT -> MemorySegment.NULL;
        };
    }

    private float[] floats(int first, int step) {
        float[] floats = new float[cells.length / step];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) cells[first + i * step];
        }
        return floats;
    }
}
