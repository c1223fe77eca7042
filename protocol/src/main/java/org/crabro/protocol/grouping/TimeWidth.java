package org.crabro.protocol.grouping;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A division of time by clocks and calendars: a number of seconds, minutes or hours that divides a
 * day, days, weeks from Monday, months or years.
 *
 * @param unit s, m, h, d, w, mo or y
 */
public record TimeWidth(int count, String unit) {
    private static final Pattern WIDTH = Pattern.compile("([0-9]{1,4})(s|m|h|d|w|mo|y)");
    private static final int SECONDS_OF_DAY = 86_400;

    /** The limit of supported times in both directions. */
    private static final long LAST_SECOND = 31_556_889_864_403_199L / 1_000;

    /** Parses a width such as {@code 15m} or {@code 1mo}; empty for other texts. */
    public static Optional<TimeWidth> of(String text) {
        Matcher width = WIDTH.matcher(text);
        if (!width.matches() || Integer.parseInt(width.group(1)) == 0) {
            return Optional.empty();
        }
        var read = new TimeWidth(Integer.parseInt(width.group(1)), width.group(2));
        int seconds = read.seconds();
        return seconds > 0 && SECONDS_OF_DAY % seconds != 0 ? Optional.empty() : Optional.of(read);
    }

    /** Returns the length in seconds; 0 for days and longer units. */
    private int seconds() {
        return switch (unit) {
            case "s" -> count;
            case "m" -> count * 60;
            case "h" -> count * 3_600;
            default -> 0;
        };
    }

    /**
     * A range of seconds since the epoch with the same start of their period.
     *
     * @param start the start of the period
     * @param from the first second of the range
     * @param to the second after the range; it may still have the same {@code start}, if clocks
     *     were changed within the period
     */
    public record Span(long start, long from, long to) {}

    /** Returns the range that contains a second, by the clocks of a time zone. */
    public Span at(long anySecond, ZoneId zone) {
        long second = Math.clamp(anySecond, -LAST_SECOND, LAST_SECOND);
        Instant instant = Instant.ofEpochSecond(second);
        int parts = seconds();
        if (parts > 0) {
            return partOfDay(second, instant, parts, zone.getRules());
        }
        LocalDate day = first(LocalDate.ofInstant(instant, zone));
        long start = day.atStartOfDay(zone).toEpochSecond();
        return new Span(start, start, next(day).atStartOfDay(zone).toEpochSecond());
    }

    private static Span partOfDay(long second, Instant instant, int parts, ZoneRules rules) {
        long offset = rules.getOffset(instant).getTotalSeconds();
        long start = second - Math.floorMod(second + offset, (long) parts);
        ZoneOffsetTransition before = rules.previousTransition(instant.plusSeconds(1));
        ZoneOffsetTransition behind = rules.nextTransition(instant);
        long from = start;
        if (before != null && start < before.toEpochSecond()) {
            // The period started before clocks were changed: at its start by the old clocks, or
            // with the change.
            from = before.toEpochSecond();
            long then = start + offset - before.getOffsetBefore().getTotalSeconds();
            start = Math.min(from, then);
        }
        long end = second - Math.floorMod(second + offset, (long) parts) + parts;
        return new Span(start, from, behind == null ? end : Math.min(end, behind.toEpochSecond()));
    }

    /** Returns the start of the period after the one that starts at {@code start}. */
    long next(long start, ZoneId zone) {
        Span span = at(start, zone);
        while (span.start <= start && span.to < LAST_SECOND) {
            span = at(span.to, zone);
        }
        return span.start <= start ? Long.MAX_VALUE : span.start;
    }

    private LocalDate first(LocalDate day) {
        return switch (unit) {
            case "d" -> LocalDate.ofEpochDay(first(day.toEpochDay()));
            case "w" -> {
                LocalDate monday = day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
                // The first Monday since the epoch was day 4, with days from 0.
                long week = Math.floorDiv(monday.toEpochDay() - 4, 7L);
                yield LocalDate.ofEpochDay(4 + 7 * first(week));
            }
            case "mo" -> {
                long month = first(day.getYear() * 12L + day.getMonthValue() - 1);
                yield LocalDate.of(
                        (int) Math.floorDiv(month, 12L), (int) Math.floorMod(month, 12L) + 1, 1);
            }
            default -> LocalDate.of((int) first(day.getYear()), 1, 1);
        };
    }

    private long first(long number) {
        return Math.floorDiv(number, (long) count) * count;
    }

    private LocalDate next(LocalDate day) {
        return switch (unit) {
            case "d" -> day.plusDays(count);
            case "w" -> day.plusWeeks(count);
            case "mo" -> day.plusMonths(count);
            default -> day.plusYears(count);
        };
    }
}
