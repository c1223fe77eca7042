package org.crabro.ranking.kernel;

/** Computes cosines from float sums, if floats can represent the sums exactly enough. */
final class FloatCosines {
    /** Terms of smaller sums may be subnormal floats, which have fewer bits. */
    private static final double LEAST = 0x1p-100;

    private FloatCosines() {}

    /** Returns whether floats can represent a squared length and its terms. */
    static boolean haveRoom(double squaredLength) {
        return squaredLength >= LEAST && squaredLength <= Float.MAX_VALUE;
    }

    /**
     * Returns the cosine; 0 if the query is all zeros, NaN if {@link #haveRoom} is false for one of
     * the squared lengths.
     */
    static double of(double dot, double querysSquaredLength, double squaredLength) {
        if (haveRoom(querysSquaredLength) && haveRoom(squaredLength)) {
            return dot / Math.sqrt(querysSquaredLength * squaredLength);
        }
        return querysSquaredLength == 0 ? 0 : Double.NaN;
    }
}
