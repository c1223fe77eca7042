package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;
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
 */
public record QuantizedVectors(
        MemorySegment cells,
        MemorySegment scales,
        MemorySegment errors,
        MemorySegment spreads,
        MemorySegment sums) {
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

    /** Returns the bytes of all. */
    public long byteSize() {
        return cells.byteSize()
                + scales.byteSize()
                + errors.byteSize()
                + spreads.byteSize()
                + sums.byteSize();
    }

    static boolean areMadeOf(CellType type) {
        return type == CellType.FLOAT || type == CellType.BFLOAT16;
    }

    /** Returns the bytes of the cells of a row: one each, and zeros up to a multiple of 64. */
    public static int rowSize(int cells) {
        return Math.ceilDiv(cells, ROW_STEP) * ROW_STEP;
    }
}
