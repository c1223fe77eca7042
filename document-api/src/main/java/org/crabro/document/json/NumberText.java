package org.crabro.document.json;

import java.util.Locale;
import java.util.regex.Pattern;
import tools.jackson.core.io.NumberInput;

/**
 * Parses numbers in texts of documents: decimal numbers, and the names of values that are not
 * finite.
 */
public final class NumberText {
    private static final Pattern DECIMAL =
            Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

    private NumberText() {}

    /**
     * Returns the nearest float.
     *
     * @throws NumberFormatException if {@code text} is not a number
     */
    public static float parseFloat(String text) {
        return isDecimal(text) ? NumberInput.parseFloat(text, true) : (float) notFinite(text);
    }

    /**
     * Returns the nearest double.
     *
     * @throws NumberFormatException if {@code text} is not a number
     */
    public static double parseDouble(String text) {
        return isDecimal(text) ? NumberInput.parseDouble(text, true) : notFinite(text);
    }

    /**
     * Parses a whole number from {@code least} to {@code most}.
     *
     * @throws NumberFormatException if {@code text} is another one
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

    /** The parsers of Java also accept blanks, suffixes and hexadecimal digits. */
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
