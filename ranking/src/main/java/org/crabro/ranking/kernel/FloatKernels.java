package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;
import org.crabro.tensor.CellType;

/**
 * Loops over cells stored as floats in separate memory.
 *
 * <p>The vector implementation adds in float and the scalar one in double: sums of {@code n}
 * products differ by at most {@code (n + 2) * 0x1p-23} times the sum of the products' magnitudes.
 * Copied cells are equal.
 */
sealed interface FloatKernels permits ScalarFloatKernels, VectorFloatKernels {
    /** The faster implementation on this machine. */
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
     * @param rows groups of {@link #abreast} interleaved rows, cell by cell; the last group is
     *     padded with any values
     * @param first the first row that counts, a multiple of twice {@link #abreast}
     * @param count the number of rows that count
     * @param others one after another
     * @param otherCount at least 1
     * @param size cells of a row
     */
    double largestSum(float[] rows, int first, int count, float[] others, int otherCount, int size);
}
