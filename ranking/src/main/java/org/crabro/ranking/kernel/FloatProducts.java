package org.crabro.ranking.kernel;

/** Dot products of cells that are floats. */
public final class FloatProducts {
    private FloatProducts() {}

    /**
     * Returns the sum of the products of the first {@code count} cells. Products are of floats, and
     * may be summed as floats.
     */
    public static double sum(float[] left, float[] right, int count) {
        return FloatKernels.BEST.dot(left, right, count);
    }
}
