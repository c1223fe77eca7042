package org.crabro.container.yql;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses latitudes and longitudes in the forms of document fields, and with signs.
 *
 * <pre>
 *   angle   := [ sign ] [ letter ] [ sign ] number [ letter | "o" | "°" ] [ minutes ] [ letter ]
 *   minutes := number [ "'" [ number ] [ '"' ] ]
 * </pre>
 *
 * <p>An angle has at most one letter: N or S for a latitude, E or W for a longitude. Minutes need a
 * letter or a degree sign before them, and whole degrees.
 */
public final class GeoAngle {
    private static final String NUMBER = "(\\d{1,9}(?:\\.\\d{1,15})?)";

    private static final Pattern ANGLE =
            Pattern.compile(
                    "([+-])?([NSEW])?([+-])?%s(?:([NSEW])|[o\u00b0])?(?:(?<=[NSEWo\u00b0])%s(?:'%s?\"?)?)?([NSEW])?"
                            .formatted(NUMBER, NUMBER, NUMBER));

    /** The groups of {@link #ANGLE} after those of signs and letters. */
    private static final int DEGREES = 4;

    private static final int MINUTES = 6;
    private static final int SECONDS = 7;

    private GeoAngle() {}

    /** Returns degrees north; S is below 0. */
    public static Optional<Double> latitude(String text) {
        return degrees(text, "NS").filter(value -> Math.abs(value) <= 90);
    }

    /** Returns degrees east; W is below 0. */
    public static Optional<Double> longitude(String text) {
        return degrees(text, "EW").filter(value -> Math.abs(value) <= 180);
    }

    private static Optional<Double> degrees(String text, String letters) {
        Matcher angle = ANGLE.matcher(text.strip());
        if (!angle.matches()) {
            return Optional.empty();
        }
        String letter = written(angle.group(2)) + written(angle.group(5)) + written(angle.group(8));
        String sign = written(angle.group(1)) + written(angle.group(3));
        boolean isCut = angle.group(DEGREES).indexOf('.') >= 0 && angle.group(MINUTES) != null;
        if (letter.length() > 1 || sign.length() > 1 || isCut || !letters.contains(letter)) {
            return Optional.empty();
        }
        double degrees =
                number(angle.group(DEGREES))
                        + number(angle.group(MINUTES)) / 60
                        + number(angle.group(SECONDS)) / 3600;
        boolean isNegative = letters.indexOf(letter) == 1 ^ sign.equals("-");
        return Optional.of(isNegative ? -degrees : degrees);
    }

    private static String written(@Nullable String group) {
        return group == null ? "" : group;
    }

    private static double number(@Nullable String group) {
        return group == null ? 0 : Double.parseDouble(group);
    }
}
