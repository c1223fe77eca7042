package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.crabro.tensor.CellType;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * Vectors of a column in a byte a cell, as a {@link VectorQuantizer} makes them: enough to tell of
 * nearly all of them that they are too far away, from half or a quarter of the bytes.
 *
 * @param cells per row {@link #rowSize} bytes
 * @param scales per row what its cells are multiplied by: a little-endian float
 * @param errors per row how far from the stored vector that is at most, but for what all cells have
 *     in common, as the length of the difference: a little-endian float
 * @param spreads per row how far it is at most from one whose cells are all its mean: a
 *     little-endian float
 * @param sums per row the sum of the stored cells: a little-endian float
 * @param inverseLengths per row what the stored vector is multiplied by to become as long as 1: a
 *     little-endian float; nothing where that is kept with the stored vectors
 */
public record QuantizedVectors(
        MemorySegment cells,
        MemorySegment scales,
        MemorySegment errors,
        MemorySegment spreads,
        MemorySegment sums,
        MemorySegment inverseLengths) {
    /** What rows have besides their cells and inverse lengths. */
    private static final int FLOATS = 4;

    /** Rows are made of whole steps of the loops that compare them. */
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
     * Rounds vectors that lie one right behind the other.
     *
     * @param type that {@link #areWorthIt}
     * @param stored the cells of {@code count} of them, little-endian
     * @param haveLengths whether they get inverse lengths
     * @param memory as many bytes as {@link #byteSize(TensorType, int, boolean)} says, which are
     *     what is returned
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

    /** A row whose length is not known has some and an infinite error: no bound is known for it. */
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

    /** Returns the bytes of all. */
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
