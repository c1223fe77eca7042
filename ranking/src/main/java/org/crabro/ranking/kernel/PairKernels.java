package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;
import org.crabro.tensor.CellType;

/**
 * Compares two stored rows of cells. Both implementations return the same for int8 cells, and
 * differ by rounding for others, as {@link RowKernels} states.
 */
sealed interface PairKernels permits ScalarPairKernels, VectorPairKernels {
    /** Returns the dot product of two rows. */
    double dot(
            CellType type, int size, MemorySegment one, long at, MemorySegment other, long otherAt);

    /** Returns the sum of the squared differences. */
    double squaredDistance(
            CellType type, int size, MemorySegment one, long at, MemorySegment other, long otherAt);

    /** Returns how many bits differ in int8 rows, or how many cells in others. */
    long differing(
            CellType type, int size, MemorySegment one, long at, MemorySegment other, long otherAt);
}
