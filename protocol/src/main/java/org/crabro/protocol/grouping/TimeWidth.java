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
 * How clocks and calendars divide time: every so many seconds, minutes or hours of a day, days,
 * weeks from Monday, months or years.
 *
 * @param unit s, m, h, d, w, mo or y
 */
public record TimeWidth(int count, String unit) {
    private static final Pattern WIDTH = Pattern.compile("([0-9]{1,4})(s|m|h|d|w|mo|y)");
    private static final int SECONDS_OF_DAY = 86_400;

    /** Calendars go no further. */
    private static final long LAST_SECOND = 31_556_889_864_403_199L / 1_000;

    /** Returns what {@code text} says, such as {@code 15m} or {@code 1mo}. */
    public static Optional<TimeWidth> of(String text) {
        Matcher width = WIDTH.matcher(text);
        if (!width.matches() || Integer.parseInt(width.group(1)) == 0) {
            return Optional.empty();
        }
        var read = new TimeWidth(Integer.parseInt(width.group(1)), width.group(2));
        int seconds = read.seconds();
        return seconds > 0 && SECONDS_OF_DAY % seconds != 0 ? Optional.empty() : Optional.of(read);
    }

    /** Returns how many seconds of a day; 0 for days and more. */
    private int seconds() {
        return switch (unit) {
            case "s" -> count;
            case "m" -> count * 60;
            case "h" -> count * 3_600;
            default -> 0;
        };
    }

    /**
     * Seconds since the epoch that begin alike.
     *
     * @param start when what they lie in began
     * @param from the first of them
     * @param to the first behind them; what lies there may have begun at {@code start} as well,
     *     where clocks were put forward or back
     */
    public record Span(long start, long from, long to) {}

    /** Returns what a second lies in, by the clocks of a zone. */
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
            // It began before clocks were put forward or back, as they were then; or with that.
            from = before.toEpochSecond();
            long then = start + offset - before.getOffsetBefore().getTotalSeconds();
            start = Math.min(from, then);
        }
        long end = second - Math.floorMod(second + offset, (long) parts) + parts;
        return new Span(start, from, behind == null ? end : Math.min(end, behind.toEpochSecond()));
    }

    /** Returns when what comes behind what begins at {@code start} begins. */
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
                // The first Monday of all was the fifth day.
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
