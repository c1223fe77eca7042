package org.crabro.content.search.group;

import java.time.Instant;
import java.time.LocalDate;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.crabro.protocol.grouping.GroupFunction;
import org.crabro.protocol.grouping.GroupMath;

/**
 * Computes parts of dates and times from seconds since the epoch, by the clocks and calendar of a
 * time zone.
 */
final class TimeFunction extends Evaluator {
    private static final long DAY = 86_400;
    private static final long NO_DAY = Long.MIN_VALUE;

    /** The limit of supported times in both directions. */
    private static final long LAST_SECOND = 31_556_889_864_403_199L / 1_000;

    private final GroupFunction function;
    private final Evaluator operand;
    private final ZoneRules rules;
    private final StringBuilder date = new StringBuilder();

    // The interval of the last used offset, between two changes of the clocks.
    private long offsetFrom = 1;
    private long offsetTo;
    private long offset;

    // The last used day and its date.
    private long day = NO_DAY;
    private long year;
    private int month;
    private int dayOfMonth;

    TimeFunction(GroupFunction function, Evaluator operand, ZoneRules rules) {
        super(function == GroupFunction.DATE ? ValueKind.TEXT : ValueKind.WHOLE, operand);
        this.function = function;
        this.operand = operand;
        this.rules = rules;
        if (rules.isFixedOffset()) {
            offsetFrom = Long.MIN_VALUE;
            offsetTo = Long.MAX_VALUE;
            offset = rules.getOffset(Instant.EPOCH).getTotalSeconds();
        }
    }

    @Override
    Values evaluate(RowBatch batch) {
        Values from = operand.evaluate(batch);
        values.shape(from);
        int size = from.size();
        boolean real = from.kind == ValueKind.REAL;
        long lastDay = NO_DAY;
        int lastText = 0;
        for (int i = 0; i < size; i++) {
            long seconds = real ? GroupMath.whole(from.doubles[i]) : from.longs[i];
            long local = local(Math.clamp(seconds, -LAST_SECOND, LAST_SECOND));
            if (function == GroupFunction.DATE) {
                long of = Math.floorDiv(local, DAY);
                if (of != lastDay) {
                    lastDay = of;
                    lastText = batch.texts.number(date(of));
                }
                values.texts[i] = lastText;
            } else {
                values.longs[i] = part(local);
            }
        }
        return values;
    }

    private long local(long seconds) {
        if (seconds < offsetFrom || seconds >= offsetTo) {
            Instant instant = Instant.ofEpochSecond(seconds);
            offset = rules.getOffset(instant).getTotalSeconds();
            ZoneOffsetTransition before = rules.previousTransition(instant.plusSeconds(1));
            ZoneOffsetTransition behind = rules.nextTransition(instant);
            offsetFrom = before == null ? Long.MIN_VALUE : before.toEpochSecond();
            offsetTo = behind == null ? Long.MAX_VALUE : behind.toEpochSecond();
        }
        return seconds + offset;
    }

    private long part(long local) {
        return switch (function) {
            case SECOND_OF_MINUTE -> Math.floorMod(local, 60L);
            case MINUTE_OF_HOUR -> Math.floorMod(local, 3_600L) / 60;
            case HOUR_OF_DAY -> Math.floorMod(local, DAY) / 3_600;
            // 1970-01-01 was a Thursday; Sunday is 0.
            case DAY_OF_WEEK -> Math.floorMod(Math.floorDiv(local, DAY) + 4, 7L);
            // Monday is 1.
            case ISO_DAY_OF_WEEK -> Math.floorMod(Math.floorDiv(local, DAY) + 3, 7L) + 1;
            default -> {
                look(Math.floorDiv(local, DAY));
                yield switch (function) {
                    case YEAR -> year;
                    case MONTH_OF_YEAR -> month;
                    case DAY_OF_MONTH -> dayOfMonth;
                    case DAY_OF_YEAR -> day - firstDay(year);
                    default -> throw new IllegalStateException("no part of a time: " + function);
                };
            }
        };
    }

    private String date(long of) {
        look(of);
        date.setLength(0);
        return date.append(year)
                .append('-')
                .append(month)
                .append('-')
                .append(dayOfMonth)
                .toString();
    }

    private static long firstDay(long year) {
        return LocalDate.of((int) year, 1, 1).toEpochDay();
    }

    /*
     * Years start in March here, so that a leap day is the last day of the year. Then the lengths
     * of months repeat in a fixed pattern, with 153 days for five months.
     */
    private void look(long of) {
        if (of == day) {
            return;
        }
        day = of;
        long sinceMarch0 = of + 719_468;
        long era = Math.floorDiv(sinceMarch0, 146_097L);
        long dayOfEra = sinceMarch0 - era * 146_097;
        long yearOfEra =
                (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int fromMarch = (int) ((5 * dayOfYear + 2) / 153);
        dayOfMonth = (int) (dayOfYear - (153L * fromMarch + 2) / 5) + 1;
        month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
    }
}
