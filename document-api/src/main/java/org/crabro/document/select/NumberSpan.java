package org.crabro.document.select;

/**
 * The range of a field's values in many documents; some documents can lack a value.
 *
 * @param min larger than {@code max} if no document has a value
 * @param isWhole whether all are whole numbers; if not, some can be NaN
 */
public record NumberSpan(double min, double max, boolean isWhole) {
    /** Of fields that are set nowhere. */
    public static final NumberSpan NONE =
            new NumberSpan(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, true);

    /** From here on not every whole number is a double. */
    private static final long EXACT_MAX = 1L << 53;

    /** Returns the range of whole numbers, slightly wider where doubles cannot represent them. */
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
