package org.crabro.content.storage.layout;

/**
 * The minimum and maximum of the values of a field in a block. Rows without a value and NaN are
 * ignored, because no range contains them. If no value is left, the minimum is larger than the
 * maximum.
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
