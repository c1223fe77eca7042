package org.crabro.document.select;

/**
 * The range of a field's values in many documents; some documents can lack a value.
 *
 * @param min larger than {@code max} if no document has a value
 * @param isWhole whether all are whole numbers; if not, some can be NaN
 */
public record NumberSpan(double min, double max, boolean isWhole) {
    /** The range of a field that no document has. */
    public static final NumberSpan NONE =
            new NumberSpan(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, true);

    /** From here on, doubles cannot represent every whole number. */
    private static final long EXACT_MAX = 1L << 53;

    /** Returns the range of whole numbers, slightly wider if doubles cannot represent its ends. */
    public static NumberSpan ofWhole(long min, long max) {
        if (min > max) {
            return NONE;
        }
        double low = min < -EXACT_MAX || min > EXACT_MAX ? Math.nextDown((double) min) : min;
        double high = max < -EXACT_MAX || max > EXACT_MAX ? Math.nextUp((double) max) : max;
        return new NumberSpan(low, high, true);
    }

    /** Returns the range of numbers that may have fractions. */
    public static NumberSpan ofReal(double min, double max) {
        return new NumberSpan(min, max, false);
    }
}
