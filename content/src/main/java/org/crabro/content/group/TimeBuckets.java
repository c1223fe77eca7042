package org.crabro.content.group;

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
import org.crabro.protocol.grouping.GroupMath;

/**
 * When the time began that seconds since the epoch lie in, as clocks and calendars of a time zone
 * divide it: every so many seconds, minutes or hours of a day, days, weeks from Monday, months or
 * years. For one thread.
 */
final class TimeBuckets extends Evaluator {
    private static final Pattern WIDTH = Pattern.compile("([0-9]{1,4})(s|m|h|d|w|mo|y)");
    private static final int SECONDS_OF_DAY = 86_400;

    /** Calendars go no further. */
    private static final long LAST_SECOND = 31_556_889_864_403_199L / 1_000;

    private final Evaluator operand;
    private final Width wide;
    private final ZoneId zone;

    // The bucket that was looked up last.
    private long from;
    private long isFrom = 1;
    private long isTo;

    TimeBuckets(Evaluator operand, Width width, ZoneId zone) {
        super(ValueKind.WHOLE, operand);
        this.operand = operand;
        this.wide = width;
        this.zone = zone;
    }

    /**
     * How wide buckets are.
     *
     * @param unit s, m, h, d, w, mo or y
     */
    record Width(int count, String unit) {
        /** Returns what {@code text} says, such as {@code 15m} or {@code 1mo}. */
        static Optional<Width> of(String text) {
            Matcher width = WIDTH.matcher(text);
            if (!width.matches() || Integer.parseInt(width.group(1)) == 0) {
                return Optional.empty();
            }
            var read = new Width(Integer.parseInt(width.group(1)), width.group(2));
            int seconds = read.seconds();
            return seconds > 0 && SECONDS_OF_DAY % seconds != 0
                    ? Optional.empty()
                    : Optional.of(read);
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
    }

    @Override
    Values evaluate(RowBatch batch) {
        Values seconds = operand.evaluate(batch);
        values.shape(seconds);
        int size = seconds.size();
        boolean real = seconds.kind == ValueKind.REAL;
        for (int i = 0; i < size; i++) {
            long second = real ? GroupMath.whole(seconds.doubles[i]) : seconds.longs[i];
            if (second < isFrom || second >= isTo) {
                look(Math.clamp(second, -LAST_SECOND, LAST_SECOND));
            }
            values.longs[i] = from;
        }
        return values;
    }

    private void look(long second) {
        Instant instant = Instant.ofEpochSecond(second);
        long parts = wide.seconds();
        if (parts > 0) {
            ZoneRules rules = zone.getRules();
            long offset = rules.getOffset(instant).getTotalSeconds();
            from = second - Math.floorMod(second + offset, parts);
            // Where the clocks were put forward or back the next bucket may be another.
            ZoneOffsetTransition before = rules.previousTransition(instant.plusSeconds(1));
            ZoneOffsetTransition behind = rules.nextTransition(instant);
            isFrom = before == null ? from : Math.max(from, before.toEpochSecond());
            isTo = behind == null ? from + parts : Math.min(from + parts, behind.toEpochSecond());
            return;
        }
        LocalDate day = first(LocalDate.ofInstant(instant, zone));
        from = day.atStartOfDay(zone).toEpochSecond();
        isFrom = from;
        isTo = next(day).atStartOfDay(zone).toEpochSecond();
    }

    private LocalDate first(LocalDate day) {
        int count = wide.count();
        return switch (wide.unit()) {
            case "d" -> LocalDate.ofEpochDay(first(day.toEpochDay(), count));
            case "w" -> {
                LocalDate monday = day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
                // The first Monday of all was the fifth day.
                long week = Math.floorDiv(monday.toEpochDay() - 4, 7L);
                yield LocalDate.ofEpochDay(4 + 7 * first(week, count));
            }
            case "mo" -> {
                long month = first(day.getYear() * 12L + day.getMonthValue() - 1, count);
                yield LocalDate.of(
                        (int) Math.floorDiv(month, 12L), (int) Math.floorMod(month, 12L) + 1, 1);
            }
            default -> LocalDate.of((int) first(day.getYear(), count), 1, 1);
        };
    }

    private static long first(long number, int count) {
        return Math.floorDiv(number, (long) count) * count;
    }

    private LocalDate next(LocalDate day) {
        int count = wide.count();
        return switch (wide.unit()) {
            case "d" -> day.plusDays(count);
            case "w" -> day.plusWeeks(count);
            case "mo" -> day.plusMonths(count);
            default -> day.plusYears(count);
        };
    }
}
