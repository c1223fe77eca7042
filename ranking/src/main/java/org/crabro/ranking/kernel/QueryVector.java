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

    /** For float cells. */
    final float[] floats;

    /** For bfloat16 cells: those with even numbers, which are the lower halves of ints. */
    final float[] evens;

    /** For bfloat16 cells: those with odd numbers. */
    final float[] odds;

    /**
     * For any but double cells: the same outside the heap without padding, from a multiple of the
     * longest vector's size on; {@link #floats}, {@link #evens} and then {@link #odds}, or {@link
     * #bytes}.
     */
    final MemorySegment aligned;

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
        double sum = 0;
        for (int i = 0; i < size; i++) {
            cells[i] = cellType.nearest(query.cell(i));
            sum += cells[i] * cells[i];
        }
        squaredLength = sum;
        inverseLength = sum == 0 ? 0 : 1 / Math.sqrt(sum);
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
        long byteSize = (long) size * (cellType == CellType.INT8 ? Byte.BYTES : Float.BYTES);
        MemorySegment all = Arena.ofAuto().allocate(byteSize, ALIGNMENT);
        switch (cellType) {
            case FLOAT -> MemorySegment.copy(floats, 0, all, ScalarRowKernels.FLOAT, 0, size);
            case BFLOAT16 -> {
                int even = size - size / 2;
                long rest = (long) even * Float.BYTES;
                MemorySegment.copy(evens, 0, all, ScalarRowKernels.FLOAT, 0, even);
                MemorySegment.copy(odds, 0, all, ScalarRowKernels.FLOAT, rest, size - even);
            }
            case INT8 -> MemorySegment.copy(bytes, 0, all, ValueLayout.JAVA_BYTE, 0, size);
            case DOUBLE -> throw new AssertionError();
        }
        return all;
    }

    private float[] floats(int first, int step) {
        float[] floats = new float[cells.length / step];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) cells[first + i * step];
        }
        return floats;
    }
}
