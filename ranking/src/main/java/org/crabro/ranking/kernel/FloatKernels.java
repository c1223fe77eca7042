package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;
import org.crabro.tensor.CellType;

/**
 * Loops over cells that are floats in memory of their own.
 *
 * <p>The vector twin adds floats and the scalar one doubles: sums of {@code n} products differ by
 * at most {@code (n + 2) * 0x1p-23} times the sum of the products' magnitudes. What is copied is
 * the same.
 */
sealed interface FloatKernels permits ScalarFloatKernels, VectorFloatKernels {
    /** The better of the two on this machine. */
    FloatKernels BEST = best();

    private static FloatKernels best() {
        boolean isPresent = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
        return isPresent && VectorFloatKernels.isWorthwhile()
                ? new VectorFloatKernels()
                : new ScalarFloatKernels();
    }

    /** Returns the number of adjacent rows that {@link #largestSum} takes as rows. */
    int abreast();

    /**
     * Copies stored cells.
     *
     * @param bytes little-endian
     * @param start which cell is the first
     */
    void copy(CellType type, MemorySegment bytes, long start, float[] into, int count);

    /** Returns the sum of the products of the first {@code count} cells. */
    double dot(float[] left, float[] right, int count);

    /**
     * Returns the sum, over rows, of the largest of their dot products with other rows.
     *
     * @param rows {@link #abreast} rows side by side, cell by cell, then the next so many; filled
     *     up with any
     * @param first row that counts, a multiple of twice {@link #abreast}
     * @param count rows that count
     * @param others one after the other
     * @param otherCount at least 1
     * @param size cells of a row
     */
    double largestSum(float[] rows, int first, int count, float[] others, int otherCount, int size);
}
