package org.crabro.document.time;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the numbers of a field of times count, and how they are shown as texts. */
public enum TimeKind {
    /** Seconds since 1970. */
    SECONDS("time", 1),
    /** Milliseconds since 1970. */
    MILLIS("time-ms", 1_000),
    /** Microseconds since 1970. */
    MICROS("time-us", 1_000_000),
    /** Seconds since 1970, shown as days. */
    DAYS("date", 1);

    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final long SECONDS_PER_DAY = 86_400;

    /** The first second of the year 0000. */
    static final long FIRST_SECOND = LocalDate.of(0, 1, 1).toEpochDay() * SECONDS_PER_DAY;

    /** The last second of the year 9999. */
    static final long LAST_SECOND = LocalDate.of(10_000, 1, 1).toEpochDay() * SECONDS_PER_DAY - 1;

    private final String word;
    private final long perSecond;

    TimeKind(String word, long perSecond) {
        this.word = word;
        this.perSecond = perSecond;
    }

    /** Returns the kind that schemas call {@code word}. */
    public static Optional<TimeKind> named(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word.equals(word)).findFirst();
    }

    /** Returns the words of all kinds, for messages. */
    public static String words() {
        return Arrays.stream(values()).map(TimeKind::word).collect(Collectors.joining(", "));
    }

    /** Returns the word in schemas. */
    public String word() {
        return word;
    }

    /** Returns how many units a second has. */
    public long perSecond() {
        return perSecond;
    }

    /**
     * Returns a value as text: {@code 2024-05-01T10:00:00Z}, with a fraction if it has one, or
     * {@code 2024-05-01}. Empty outside of the years 0000 to 9999.
     */
    public Optional<String> text(long value) {
        long second = Math.floorDiv(value, perSecond);
        if (second < FIRST_SECOND || second > LAST_SECOND) {
            return Optional.empty();
        }
        return Optional.of(
                this == DAYS
                        ? LocalDate.ofEpochDay(Math.floorDiv(second, SECONDS_PER_DAY)).toString()
                        : Instant.ofEpochSecond(
                                        second,
                                        Math.floorMod(value, perSecond)
                                                * (NANOS_PER_SECOND / perSecond))
                                .toString());
    }

    /**
     * Returns the values that a text names: one for a time with seconds, more for a year, a month,
     * a day, or a time without seconds.
     *
     * @param now the time of the request, in seconds since 1970
     * @throws InvalidTimeException if it is no time
     */
    public TimeSpan span(String text, long now) {
        return TimeText.span(text, now).in(perSecond);
    }

    /**
     * Returns the value of a field that a text is: a day or a time. A fraction that is finer than
     * the unit is dropped.
     *
     * @throws InvalidTimeException if it is neither
     */
    public long value(String text) {
        TimeText.Instants instants = TimeText.written(text);
        long value = instants.floor(perSecond);
        if (this == DAYS && Math.floorMod(value, SECONDS_PER_DAY) != 0) {
            throw new InvalidTimeException(
                    "expected a day such as 2024-05-01 for kind date but found a time, " + text);
        }
        return value;
    }
}
