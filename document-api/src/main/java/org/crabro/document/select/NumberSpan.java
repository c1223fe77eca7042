package org.crabro.document.select;

/**
 * Between which numbers the values of a field lie, of many documents; of some it may not be set.
 *
 * @param min larger than {@code max} where it is set of none
 * @param isWhole whether all are whole numbers; if not, some may be no numbers
 */
public record NumberSpan(double min, double max, boolean isWhole) {
    /** Of fields that are set nowhere. */
    public static final NumberSpan NONE =
            new NumberSpan(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, true);

    /** From here on not every whole number is a double. */
    private static final long EXACT_MAX = 1L << 53;

    /** Returns the span of whole numbers, a bit wider where doubles do not tell them apart. */
    public static NumberSpan ofWhole(long min, long max) {
        if (min > max) {
            return NONE;
        }
        double low = min < -EXACT_MAX || min > EXACT_MAX ? Math.nextDown((double) min) : min;
        double high = max < -EXACT_MAX || max > EXACT_MAX ? Math.nextUp((double) max) : max;
        return new NumberSpan(low, high, true);
    }

    /** Returns the span of numbers that need not be whole. */
    public static NumberSpan ofReal(double min, double max) {
        return new NumberSpan(min, max, false);
    }
}
