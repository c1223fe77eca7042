package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.crabro.tensor.CellType;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * The vectors of a column with one byte per cell, as {@link VectorQuantizer} creates them. They
 * exclude nearly all vectors that are too far away, with a half or a quarter of the bytes.
 *
 * @param cells {@link #rowSize} bytes per row
 * @param scales the factor of the cells, one little-endian float per row
 * @param errors the maximum length of the difference from the stored vector, without the mean of
 *     the difference; one little-endian float per row
 * @param spreads the maximum distance from a vector whose cells are all its mean; one little-endian
 *     float per row
 * @param sums the sum of the stored cells, one little-endian float per row
 * @param inverseLengths the factor that scales the stored vector to length 1, one little-endian
 *     float per row; empty if it is stored with the vectors
 */
public record QuantizedVectors(
        MemorySegment cells,
        MemorySegment scales,
        MemorySegment errors,
        MemorySegment spreads,
        MemorySegment sums,
        MemorySegment inverseLengths) {
    /** The number of floats per row, without the inverse length. */
    private static final int FLOATS = 4;

    /** Rows are padded to a multiple of this, the largest step of the loops in bytes. */
    private static final int ROW_STEP = 64;

    /**
     * Returns whether vectors of {@code type} are worth it: one indexed dimension of at least 64
     * cells of float or bfloat16.
     */
    public static boolean areWorthIt(TensorType type) {
        return type.dimensions().size() == 1
                && type.dimensions().getFirst() instanceof Dimension.Indexed(_, int size)
                && size >= ROW_STEP
                && areMadeOf(type.cellType());
    }

    /**
     * Returns the bytes of {@code count} vectors.
     *
     * @param haveLengths whether they have inverse lengths
     */
    public static long byteSize(TensorType type, int count, boolean haveLengths) {
        int floats = haveLengths ? FLOATS + 1 : FLOATS;
        return count * (rowSize(type.cellCount()) + (long) floats * Float.BYTES);
    }

    /**
     * Quantizes contiguous vectors.
     *
     * @param type accepted by {@link #areWorthIt}
     * @param stored the cells of {@code count} of them, little-endian
     * @param haveLengths whether the result has inverse lengths
     * @param memory receives the result; of {@link #byteSize(TensorType, int, boolean)} bytes
     */
    public static QuantizedVectors of(
            TensorType type,
            MemorySegment stored,
            int count,
            boolean haveLengths,
            MemorySegment memory) {
        int rowSize = rowSize(type.cellCount());
        long cellsSize = (long) count * rowSize;
        long floats = (long) count * Float.BYTES;
        var made =
                new QuantizedVectors(
                        memory.asSlice(0, cellsSize),
                        memory.asSlice(cellsSize, floats),
                        memory.asSlice(cellsSize + floats, floats),
                        memory.asSlice(cellsSize + 2 * floats, floats),
                        memory.asSlice(cellsSize + 3 * floats, floats),
                        haveLengths
                                ? memory.asSlice(cellsSize + FLOATS * floats, floats)
                                : MemorySegment.NULL);
        var quantizer = new VectorQuantizer(type.cellType(), type.cellCount());
        long storedSize = (long) type.cellCount() * type.cellType().size();
        for (int row = 0; row < count; row++) {
            quantizer.quantize(stored, row * storedSize);
            made.set(row, quantizer, rowSize);
            if (haveLengths) {
                made.setLength(row, quantizer.inverseLength());
            }
        }
        return made;
    }

    private void set(int row, VectorQuantizer quantized, int rowSize) {
        long at = (long) row * rowSize;
        MemorySegment.copy(quantized.cells(), 0, cells, ValueLayout.JAVA_BYTE, at, rowSize);
        set(scales, row, quantized.scale());
        set(errors, row, quantized.error());
        set(spreads, row, quantized.spread());
        set(sums, row, quantized.sum());
    }

    /**
     * Sets the inverse length. A row without an exact length gets an infinite error, so it has no
     * bound.
     */
    private void setLength(int row, float inverseLength) {
        if (Float.isNaN(inverseLength)) {
            set(errors, row, Float.POSITIVE_INFINITY);
            set(inverseLengths, row, 1);
        } else {
            set(inverseLengths, row, inverseLength);
        }
    }

    private static void set(MemorySegment floats, int row, float number) {
        floats.set(ScalarRowKernels.FLOAT, (long) row * Float.BYTES, number);
    }

    /** Returns the total size in bytes. */
    public long byteSize() {
        return cells.byteSize()
                + scales.byteSize()
                + errors.byteSize()
                + spreads.byteSize()
                + sums.byteSize()
                + inverseLengths.byteSize();
    }

    static boolean areMadeOf(CellType type) {
        return type == CellType.FLOAT || type == CellType.BFLOAT16;
    }

    /** Returns the bytes of the cells of a row: one each, and zeros up to a multiple of 64. */
    public static int rowSize(int cells) {
        return Math.ceilDiv(cells, ROW_STEP) * ROW_STEP;
    }
}
