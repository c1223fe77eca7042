package org.crabro.client.imports;

import java.math.BigDecimal;

/** Numbers of any size as values that lose no digit. */
final class ExactNumber {
    /** Texts that are longer are no numbers. Longer ones would take time to convert. */
    static final int CHARS_MAX = 400;

    /** Whole numbers with a sign of at most so many characters are longs. */
    private static final int LONG_CHARS_MAX = 18;

    private static final int LONG_DIGITS_MAX = 19;

    /** Numbers with a point of at most so many characters have at most 15 digits. */
    private static final int DOUBLE_CHARS_MAX = 16;

    /** The exponents that a plain notation is written for. */
    private static final int PLAIN_SCALE_MAX = 100;

    private ExactNumber() {}

    /**
     * Returns a {@code Long} or a {@code Double} that is exactly a decimal number, or a {@code
     * BigDecimal}. A number whose text differs from the given one is a {@link GivenValue}; one with
     * an exponent beyond all bounds is a text.
     *
     * @param text a number as in JSON, of at most {@link #CHARS_MAX} characters; digits before the
     *     point can be missing
     */
    static Object of(String text) {
        if (isWhole(text)) {
            return text.length() <= LONG_CHARS_MAX
                    ? given(text, Long.parseLong(text))
                    : given(text, value(new BigDecimal(text), Double.parseDouble(text)));
        }
        double nearest = Double.parseDouble(text);
        if (Double.toString(nearest).equals(text)) {
            return nearest;
        }
        if (text.length() <= DOUBLE_CHARS_MAX && text.indexOf('e') < 0 && text.indexOf('E') < 0) {
            return new GivenValue(text, nearest);
        }
        try {
            BigDecimal number = new BigDecimal(text);
            return given(text, isExactly(nearest, number) ? (Object) nearest : (Object) number);
        } catch (NumberFormatException _) {
            return text;
        }
    }

    /** Returns the same for a decimal number, whose text has all digits of its scale. */
    static Object of(BigDecimal number) {
        boolean isWhole = number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
        double nearest = number.doubleValue();
        Object value =
                isWhole
                        ? value(number, nearest)
                        : isExactly(nearest, number) ? (Object) nearest : (Object) number;
        return given(text(number), value);
    }

    private static Object given(String text, Object value) {
        String shown = value instanceof BigDecimal number ? text(number) : value.toString();
        return shown.equals(text) ? value : new GivenValue(text, value);
    }

    private static boolean isWhole(String text) {
        return text.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'));
    }

    /** Returns the value of a whole number. */
    private static Object value(BigDecimal number, double nearest) {
        // A number with a large exponent is not expanded.
        boolean isLong =
                number.precision() - (long) number.scale() <= LONG_DIGITS_MAX
                        && number.scale() > -LONG_DIGITS_MAX
                        && number.compareTo(BigDecimal.valueOf(Long.MIN_VALUE)) >= 0
                        && number.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0;
        if (isLong) {
            return number.longValue();
        }
        return isExactly(nearest, number) ? (Object) nearest : (Object) number;
    }

    /** Returns whether a double is shown as this number, or is exactly this number. */
    private static boolean isExactly(double value, BigDecimal number) {
        return Double.isFinite(value)
                && (new BigDecimal(Double.toString(value)).compareTo(number) == 0
                        || new BigDecimal(value).compareTo(number) == 0);
    }

    /** Returns whether a double is exactly this number. */
    static boolean isDouble(long number) {
        return number != Long.MAX_VALUE && (long) (double) number == number;
    }

    /** Returns the text of a number, with its zeros and without an exponent if it is short. */
    static String text(BigDecimal number) {
        return Math.abs((long) number.scale()) <= PLAIN_SCALE_MAX
                ? number.toPlainString()
                : number.toString();
    }
}
