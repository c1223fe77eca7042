package org.crabro.client.imports;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Dates and times in texts: ISO 8601, the form of mails, and dates such as 29.4.2024. */
final class DateText {
    private static final Pattern DATE = Pattern.compile("\\d{4}-\\d\\d-\\d\\d");
    private static final Pattern DOTTED = Pattern.compile("(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})");
    private static final Pattern LOCAL =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(:\\d\\d([.,]\\d{1,9})?)?");
    private static final Pattern OFFSET =
            Pattern.compile(LOCAL.pattern() + " ?(Z|[+-]\\d\\d(:?\\d\\d)?)");
    private static final Pattern MAIL =
            Pattern.compile("[A-Z][a-z]{2}, \\d{1,2} [A-Z][a-z]{2} \\d{4} .*");
    private static final Pattern UTC = Pattern.compile(".*(Z|[+-]00(:?00)?| GMT)");
    private static final Pattern SHORT_OFFSET = Pattern.compile("([+-]\\d\\d)$");
    private static final Pattern PLAIN_OFFSET = Pattern.compile("([+-]\\d\\d)(\\d\\d)$");

    /** What a text says besides the time. */
    enum Form {
        /** A date without a time of day. */
        DATE,
        /** A date with points: day, month, year. No country writes the month first with points. */
        DOTTED,
        /** A date and a time without an offset. */
        LOCAL,
        /** A time in UTC. */
        UTC,
        /** A time with another offset. */
        OFFSET
    }

    private DateText() {}

    /** Returns the form of a text for which {@link #parse} returns a time. */
    static Form form(String given) {
        if (DATE.matcher(given).matches()) {
            return Form.DATE;
        }
        if (DOTTED.matcher(given).matches()) {
            return Form.DOTTED;
        }
        if (LOCAL.matcher(given).matches()) {
            return Form.LOCAL;
        }
        return UTC.matcher(given).matches() ? Form.UTC : Form.OFFSET;
    }

    /** Returns the time in a text; without an offset it is in UTC. Empty if it is another text. */
    static Optional<Instant> parse(String given) {
        try {
            if (DATE.matcher(given).matches()) {
                return Optional.of(begin(LocalDate.parse(given)));
            }
            Matcher dotted = DOTTED.matcher(given);
            if (dotted.matches()) {
                return Optional.of(
                        begin(
                                LocalDate.of(
                                        Integer.parseInt(dotted.group(3)),
                                        Integer.parseInt(dotted.group(2)),
                                        Integer.parseInt(dotted.group(1)))));
            }
            if (LOCAL.matcher(given).matches()) {
                return Optional.of(LocalDateTime.parse(iso(given)).toInstant(ZoneOffset.UTC));
            }
            if (OFFSET.matcher(given).matches()) {
                String full = SHORT_OFFSET.matcher(iso(given)).replaceFirst("$1:00");
                if (given.endsWith("Z") || full.matches(".*[+-]\\d\\d:\\d\\d")) {
                    return Optional.of(OffsetDateTime.parse(full).toInstant());
                }
                return Optional.of(
                        OffsetDateTime.parse(PLAIN_OFFSET.matcher(full).replaceFirst("$1:$2"))
                                .toInstant());
            }
            if (MAIL.matcher(given).matches()) {
                return Optional.of(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(given)));
            }
        } catch (DateTimeException _) {
            // It has the form of a date and is none, such as 2024-02-30.
        }
        return Optional.empty();
    }

    /** Returns the begin of a day in UTC. */
    static Instant begin(LocalDate day) {
        return day.atStartOfDay().toInstant(ZoneOffset.UTC);
    }

    private static String iso(String given) {
        String joined = given.substring(0, 10) + "T" + given.substring(11).replace(" ", "");
        return joined.replace(',', '.');
    }
}
