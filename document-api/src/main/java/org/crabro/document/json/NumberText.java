package org.crabro.document.json;

import java.util.Locale;
import java.util.regex.Pattern;
import tools.jackson.core.io.NumberInput;

/**
 * Reads numbers that documents hold as texts: decimal ones, and the names of what is not finite.
 */
public final class NumberText {
    private static final Pattern DECIMAL =
            Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

    private NumberText() {}

    /**
     * Returns the float nearest to a number.
     *
     * @throws NumberFormatException if {@code text} is none
     */
    public static float parseFloat(String text) {
        return isDecimal(text) ? NumberInput.parseFloat(text, true) : (float) notFinite(text);
    }

    /**
     * Returns the double nearest to a number.
     *
     * @throws NumberFormatException if {@code text} is none
     */
    public static double parseDouble(String text) {
        return isDecimal(text) ? NumberInput.parseDouble(text, true) : notFinite(text);
    }

    /**
     * Returns the whole number that {@code text} is, at least {@code least} and at most {@code
     * most}.
     *
     * @throws NumberFormatException if it is none
     */
    public static long parseWhole(String text, long least, long most) {
        if (text.startsWith("+")) {
            throw new NumberFormatException("a plus sign is not allowed: " + text);
        }
        long value = Long.parseLong(text);
        if (value < least || value > most) {
            throw new NumberFormatException("out of range: " + text);
        }
        return value;
    }

    /** Java's own parsers take more than that: blanks, suffixes, hexadecimal digits. */
    private static boolean isDecimal(String text) {
        return DECIMAL.matcher(text).matches();
    }

    private static double notFinite(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "nan", "+nan", "-nan" -> Double.NaN;
            case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
            case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
            default -> throw new NumberFormatException("no number: " + text);
        };
    }
}
