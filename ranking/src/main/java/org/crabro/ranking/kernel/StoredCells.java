package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;
import org.crabro.tensor.CellType;

/** Consecutive cells of stored tensors, little-endian. */
public final class StoredCells {
    private StoredCells() {}

    /**
     * Copies cells as floats; doubles are narrowed.
     *
     * @param start which cell is the first
     */
    public static void copy(
            CellType type, MemorySegment bytes, long start, float[] into, int count) {
        FloatKernels.BEST.copy(type, bytes, start, into, count);
    }
}
