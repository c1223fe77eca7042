package org.crabro.document.time;

import java.time.LocalDate;
import java.time.Month;
import java.time.Year;
import java.time.YearMonth;
import java.time.format.TextStyle;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads texts of times.
 *
 * <pre>
 *   time     := year [ "-" month [ "-" day [ clock ] ] ] | relative
 *   clock    := ( "T" | " " ) hour ":" minute [ ":" second [ fraction ] ] [ offset ]
 *   fraction := ( "." | "," ) one to nine digits
 *   offset   := "Z" | ( "+" | "-" ) hours [ [ ":" ] minutes ]
 *   relative := "now()" { ( "+" | "-" ) number ( "s" | "m" | "h" | "d" | "w" ) }
 * </pre>
 *
 * <p>A year has four digits, other numbers have two. Without an offset, a time is in UTC. Second 60
 * of 23:59 in UTC, a leap second, is the first second of the next day, as in Unix time.
 */
final class TimeText {
    private static final Pattern TIME =
            Pattern.compile(
                    "([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2})(?:[Tt ]([0-9]{2}):([0-9]{2})"
                            + "(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?"
                            + "([Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)?)?)?)?");
    private static final Pattern NOW =
            Pattern.compile("now\\(\\)((?:[ ]{0,3}[+-][ ]{0,3}[0-9]{1,9}[smhdw])*)");
    private static final Pattern STEP = Pattern.compile("([+-])[ ]{0,3}([0-9]{1,9})([smhdw])");

    /** A longer text is no time. */
    private static final int CHARS_MAX = 100;

    private static final int SHOWN_CHARS = 40;
    private static final long SECONDS_PER_DAY = 86_400;
    private static final long SECONDS_PER_HOUR = 3_600;
    private static final long SECONDS_PER_MINUTE = 60;
    private static final int NANOS_PER_SECOND = 1_000_000_000;

    /** Offsets are at most as large as the largest of any time zone. */
    private static final int OFFSET_HOURS_MAX = 18;

    private static final String EXPECTED =
            "a year such as 2024, a month such as 2024-05, a day such as 2024-05-01, or a time such as"
                    + " 2024-05-01T10:00:00Z";

    private TimeText() {}

    /**
     * A range of instants.
     *
     * @param second of the first instant, since 1970
     * @param nanos of the first instant
     * @param seconds the length; 0 for one instant
     */
    record Instants(long second, int nanos, long seconds) {
        /** Returns the values in these instants. */
        TimeSpan in(long perSecond) {
            long floor = floor(perSecond);
            if (seconds > 0) {
                return new TimeSpan(floor, floor + seconds * perSecond - 1);
            }
            return new TimeSpan(
                    nanos % (NANOS_PER_SECOND / perSecond) == 0 ? floor : floor + 1, floor);
        }

        /** Returns the last value that is not after the first instant. */
        long floor(long perSecond) {
            return second * perSecond + nanos / (NANOS_PER_SECOND / perSecond);
        }
    }

    /**
     * Returns the instants that a text of a condition names.
     *
     * @param now in seconds since 1970
     */
    static Instants span(String text, long now) {
        String stripped = stripped(text, EXPECTED + ", or now() - 7d");
        if (stripped.startsWith("now")) {
            return new Instants(relative(stripped, now), 0, 0);
        }
        Matcher parts = TIME.matcher(stripped);
        if (!parts.matches()) {
            throw problem(stripped, "", EXPECTED + ", or now() - 7d");
        }
        return absolute(stripped, parts);
    }

    /** Returns the instants of a day or a time that is written to a field. */
    static Instants written(String text) {
        String expected = "a day such as 2024-05-01 or a time such as 2024-05-01T10:00:00Z";
        String stripped = stripped(text, expected);
        Matcher parts = TIME.matcher(stripped);
        if (!parts.matches() || parts.group(3) == null) {
            throw problem(stripped, "", expected);
        }
        return absolute(stripped, parts);
    }

    private static String stripped(String text, String expected) {
        String stripped = text.strip();
        if (stripped.length() > CHARS_MAX) {
            throw problem(stripped, "", expected);
        }
        return stripped;
    }

    private static Instants absolute(String text, Matcher parts) {
        int year = number(parts.group(1));
        if (parts.group(2) == null) {
            return days(LocalDate.of(year, 1, 1), Year.of(year).length());
        }
        int month = checked(text, "month", number(parts.group(2)), 1, 12);
        YearMonth months = YearMonth.of(year, month);
        if (parts.group(3) == null) {
            return days(months.atDay(1), months.lengthOfMonth());
        }
        int day = number(parts.group(3));
        if (day < 1 || day > months.lengthOfMonth()) {
            throw problem(
                    text,
                    "%s %04d has %d days"
                            .formatted(
                                    Month.of(month).getDisplayName(TextStyle.FULL, Locale.ENGLISH),
                                    year,
                                    months.lengthOfMonth()),
                    "a day from 01 to " + months.lengthOfMonth());
        }
        Instants whole = days(months.atDay(day), 1);
        return parts.group(4) == null ? whole : clock(text, parts, whole.second);
    }

    private static Instants clock(String text, Matcher parts, long day) {
        int hour = checked(text, "hour", number(parts.group(4)), 0, 23);
        int minute = checked(text, "minute", number(parts.group(5)), 0, 59);
        long start =
                day
                        + hour * SECONDS_PER_HOUR
                        + minute * SECONDS_PER_MINUTE
                        - offset(text, parts.group(8));
        if (parts.group(6) == null) {
            return new Instants(start, 0, SECONDS_PER_MINUTE);
        }
        boolean isLastMinute =
                Math.floorMod(start, SECONDS_PER_DAY) == SECONDS_PER_DAY - SECONDS_PER_MINUTE;
        int second = checked(text, "second", number(parts.group(6)), 0, isLastMinute ? 60 : 59);
        String fraction = parts.group(7) == null ? "" : parts.group(7);
        return new Instants(start + second, number((fraction + "000000000").substring(0, 9)), 0);
    }

    private static long offset(String text, @Nullable String offset) {
        if (offset == null || offset.equalsIgnoreCase("z")) {
            return 0;
        }
        int hours = checked(text, "offset", number(offset.substring(1, 3)), 0, OFFSET_HOURS_MAX);
        int minutes =
                offset.length() == 3
                        ? 0
                        : checked(
                                text,
                                "offset",
                                number(offset.substring(offset.length() - 2)),
                                0,
                                hours == OFFSET_HOURS_MAX ? 0 : 59);
        long seconds = hours * SECONDS_PER_HOUR + minutes * SECONDS_PER_MINUTE;
        return offset.startsWith("-") ? -seconds : seconds;
    }

    private static Instants days(LocalDate first, int count) {
        return new Instants(first.toEpochDay() * SECONDS_PER_DAY, 0, count * SECONDS_PER_DAY);
    }

    private static long relative(String text, long now) {
        Matcher relative = NOW.matcher(text);
        if (!relative.matches()) {
            throw problem(
                    text,
                    "",
                    "now(), or now() with steps such as - 7d, of the units s, m, h, d and w");
        }
        Matcher steps = STEP.matcher(relative.group(1));
        long second = now;
        while (steps.find()) {
            long step = number(steps.group(2)) * secondsOf(steps.group(3).charAt(0));
            second += steps.group(1).equals("-") ? -step : step;
        }
        return Math.clamp(second, TimeKind.FIRST_SECOND, TimeKind.LAST_SECOND);
    }

    private static long secondsOf(char unit) {
        return switch (unit) {
            case 's' -> 1;
            case 'm' -> SECONDS_PER_MINUTE;
            case 'h' -> SECONDS_PER_HOUR;
            case 'd' -> SECONDS_PER_DAY;
            default -> 7 * SECONDS_PER_DAY;
        };
    }

    private static int checked(String text, String what, int number, int least, int most) {
        if (number < least || number > most) {
            throw problem(
                    text,
                    "the %s is %02d".formatted(what, number),
                    "one from %02d to %02d".formatted(least, most));
        }
        return number;
    }

    private static int number(String digits) {
        return Integer.parseInt(digits);
    }

    private static InvalidTimeException problem(String text, String reason, String expected) {
        String shown = text.length() > SHOWN_CHARS ? text.substring(0, SHOWN_CHARS) + "…" : text;
        return new InvalidTimeException(
                "\"%s\" is no time%s: expected %s"
                        .formatted(shown, reason.isEmpty() ? "" : ", since " + reason, expected));
    }
}
