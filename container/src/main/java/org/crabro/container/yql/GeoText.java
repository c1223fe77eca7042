package org.crabro.container.yql;

import java.util.Map;
import java.util.Optional;
import org.crabro.protocol.query.RangeEnd;

/** Parses places and distances. */
public final class GeoText {
    /** The length of a degree of latitude, by unit. */
    private static final Map<String, Double> UNITS_PER_DEGREE =
            Map.of(
                    "km", 110.946,
                    "m", 110_946.0,
                    "miles", 68.939,
                    "mi", 68.939,
                    "deg", 1.0,
                    "d", 1.0);

    private GeoText() {}

    /** Returns degrees north: {@code 63.4}, {@code N63.4} or {@code 63.4N}; S is below 0. */
    public static Optional<Double> latitude(String text) {
        return degrees(text, "NS").filter(value -> Math.abs(value) <= 90);
    }

    /** Returns degrees east: {@code 10.4}, {@code E10.4} or {@code 10.4E}; W is below 0. */
    public static Optional<Double> longitude(String text) {
        return degrees(text, "EW").filter(value -> Math.abs(value) <= 180);
    }

    /** Returns a radius with its unit, in degrees of latitude; below 0 for any distance. */
    public static Optional<Double> radius(String text) {
        String stripped = text.strip();
        int end = stripped.length();
        while (end > 0 && Character.isLetter(stripped.charAt(end - 1))) {
            end--;
        }
        Double perDegree = UNITS_PER_DEGREE.get(stripped.substring(end));
        return perDegree == null
                ? Optional.empty()
                : degrees(stripped.substring(0, end), "").map(number -> number / perDegree);
    }

    /** Returns whether degrees have one of {@code letters}. */
    static boolean hasLetter(String degrees, String letters) {
        return degrees.chars().anyMatch(each -> letters.indexOf(each) >= 0);
    }

    /**
     * Returns a number that starts or ends with one of {@code signs}; the second sign makes it
     * negative.
     */
    static Optional<Double> degrees(String text, String signs) {
        String digits = text.strip();
        int sign = -1;
        if (!digits.isEmpty()) {
            int last = digits.length() - 1;
            sign = signs.indexOf(digits.charAt(0));
            if (sign >= 0) {
                digits = digits.substring(1);
            } else {
                sign = signs.indexOf(digits.charAt(last));
                digits = sign < 0 ? digits : digits.substring(0, last);
            }
        }
        boolean isNegative = sign == 1;
        return Operands.number(digits)
                .flatMap(number ->
                        switch (number) {
                            case RangeEnd.Whole(var value, _) -> Optional.of((double) value);
                            case RangeEnd.Real(var value, _) -> Optional.of(value);
                            case RangeEnd.Unbounded() -> Optional.empty();
                        })
                .map(value -> isNegative ? -value : value);
    }
}
