package org.crabro.client.imports;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Dates of mails: the form of RFC 5322 with its obsolete zones and years, that of {@code asctime},
 * and what lies between them. The library's parser reads a zone with a name other than GMT as GMT.
 */
final class MailDate {
    private static final int LENGTH_MAX = 200;
    private static final Pattern COMMENT = Pattern.compile("\\([^()]*\\)");
    private static final Pattern SEPARATOR = Pattern.compile("[\\s,]+|(?<=\\w)-(?=[A-Za-z])");
    private static final Pattern DASH = Pattern.compile("(?<=\\d-[A-Za-z]{3})-(?=\\d)");
    private static final Pattern TIME =
            Pattern.compile("(\\d{1,2})[:.](\\d\\d)(?:[:.](\\d\\d)(?:[.,]\\d{1,9})?)?");
    private static final Pattern OFFSET = Pattern.compile("(?:GMT|UTC?)?([+-])(\\d\\d):?(\\d\\d)");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,4}");

    private static final List<String> MONTHS =
            List.of(
                    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov",
                    "dec");

    /** Hours of zones with names: those of RFC 5322, and those that mean one thing. */
    private static final Map<String, Integer> ZONES =
            Map.ofEntries(
                    Map.entry("UT", 0),
                    Map.entry("UTC", 0),
                    Map.entry("GMT", 0),
                    Map.entry("Z", 0),
                    Map.entry("EST", -5),
                    Map.entry("EDT", -4),
                    Map.entry("CST", -6),
                    Map.entry("CDT", -5),
                    Map.entry("MST", -7),
                    Map.entry("MDT", -6),
                    Map.entry("PST", -8),
                    Map.entry("PDT", -7),
                    Map.entry("WET", 0),
                    Map.entry("WEST", 1),
                    Map.entry("CET", 1),
                    Map.entry("MET", 1),
                    Map.entry("CEST", 2),
                    Map.entry("MEST", 2),
                    Map.entry("EET", 2),
                    Map.entry("EEST", 3),
                    Map.entry("JST", 9));

    private int day = -1;
    private int month = -1;
    private int year = -1;
    private LocalTime time = LocalTime.MIDNIGHT;
    private int extraSeconds;
    private ZoneOffset offset = ZoneOffset.UTC;

    private MailDate() {}

    /** Returns the time of a header {@code Date}; without a zone it is in UTC. */
    static Optional<Instant> parse(String text) {
        if (text.length() > LENGTH_MAX) {
            return Optional.empty();
        }
        String bare = COMMENT.matcher(text).replaceAll(" ").strip();
        bare = DASH.matcher(bare).replaceAll(" ");
        var date = new MailDate();
        try {
            for (String word : SEPARATOR.split(bare, -1)) {
                date.add(word);
            }
            return date.instant();
        } catch (DateTimeException _) {
            // A day or an hour that does not exist.
            return Optional.empty();
        }
    }

    private void add(String word) {
        Matcher clock = TIME.matcher(word);
        Matcher zone = OFFSET.matcher(word);
        Integer hours = ZONES.get(word.toUpperCase(Locale.ROOT));
        if (clock.matches()) {
            int seconds = clock.group(3) == null ? 0 : Integer.parseInt(clock.group(3));
            extraSeconds = seconds == 60 ? 1 : 0;
            time =
                    LocalTime.of(
                            Integer.parseInt(clock.group(1)),
                            Integer.parseInt(clock.group(2)),
                            seconds - extraSeconds);
        } else if (NUMBER.matcher(word).matches()) {
            if (day < 0 && word.length() <= 2) {
                day = Integer.parseInt(word);
            } else if (year < 0) {
                year = year(word);
            }
        } else if (zone.matches()) {
            int minutes = 60 * Integer.parseInt(zone.group(2)) + Integer.parseInt(zone.group(3));
            offset =
                    ZoneOffset.ofTotalSeconds(
                            60 * (zone.group(1).equals("-") ? -minutes : minutes));
        } else if (hours != null) {
            offset = ZoneOffset.ofHours(hours);
        } else if (month < 0 && word.length() >= 3) {
            month = MONTHS.indexOf(word.substring(0, 3).toLowerCase(Locale.ROOT));
        }
    }

    /** Years of two digits are 1969 to 2068, those of three digits count from 1900. */
    private static int year(String word) {
        int number = Integer.parseInt(word);
        return switch (word.length()) {
            case 1, 2 -> number < 69 ? 2000 + number : 1900 + number;
            case 3 -> 1900 + number;
            default -> number;
        };
    }

    private Optional<Instant> instant() {
        if (day < 0 || month < 0 || year < 0) {
            return Optional.empty();
        }
        return Optional.of(
                LocalDate.of(year, month + 1, day)
                        .atTime(time)
                        .toInstant(offset)
                        .plusSeconds(extraSeconds));
    }
}
