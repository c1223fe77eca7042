package org.crabro.ranking.kernel;

/** Cosines from sums of floats, where floats have room for what is summed. */
final class FloatCosines {
    /** Terms of smaller sums may be too small for floats with all their bits. */
    private static final double LEAST = 0x1p-100;

    private FloatCosines() {}

    /** Returns whether floats can represent a squared length and its terms. */
    static boolean haveRoom(double squaredLength) {
        return squaredLength >= LEAST && squaredLength <= Float.MAX_VALUE;
    }

    /**
     * Returns the cosine; 0 where the query is all zeros, NaN where floats have no room for one of
     * the squared lengths.
     */
    static double of(double dot, double querysSquaredLength, double squaredLength) {
        if (haveRoom(querysSquaredLength) && haveRoom(squaredLength)) {
            return dot / Math.sqrt(querysSquaredLength * squaredLength);
        }
        return querysSquaredLength == 0 ? 0 : Double.NaN;
    }
}
