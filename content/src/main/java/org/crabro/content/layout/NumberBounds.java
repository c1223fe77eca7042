package org.crabro.content.layout;

/**
 * Between which numbers all values of a field in a block lie. Rows without a value and values that
 * are not a number are left out: no range holds them. Where nothing is left, the smallest number is
 * larger than the largest.
 */
public sealed interface NumberBounds {
    /** Bounds of whole numbers; a boolean counts as 0 or 1. */
    record Whole(long min, long max) implements NumberBounds {
        public static final Whole NONE = new Whole(Long.MAX_VALUE, Long.MIN_VALUE);
    }

    /** Bounds of floats and doubles. */
    record Real(double min, double max) implements NumberBounds {
        public static final Real NONE =
                new Real(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);
    }
}
