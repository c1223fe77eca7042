package org.crabro.client.cards;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A time of a calendar: {@code 20240501T080000Z}, {@code 20240501T100000} in a zone, or {@code
 * 20240501}.
 *
 * @param isDate whether it is a whole day
 * @param isZoneUnknown whether it has a zone that is not known here; then it is taken as UTC
 */
record CalendarTime(Instant time, boolean isDate, boolean isZoneUnknown) {
    private static final Pattern FORM =
            Pattern.compile(
                    "(\\d{4})-?(\\d\\d)-?(\\d\\d)(?:T(\\d\\d):?(\\d\\d):?(\\d\\d)(?:\\.\\d+)?(Z?))?");
    private static final Pattern DURATION =
            Pattern.compile(
                    "([+-]?)P(?:(\\d{1,6})W)?(?:(\\d{1,6})D)?(?:T(?:(\\d{1,6})H)?(?:(\\d{1,6})M)?(?:(\\d{1,9})S)?)?");

    /** Returns the time of a line; empty if it is none. */
    static Optional<CalendarTime> of(ContentLine line) {
        Matcher form = FORM.matcher(line.value().strip());
        if (!form.matches()) {
            return Optional.empty();
        }
        try {
            LocalDate date = LocalDate.of(number(form, 1), number(form, 2), number(form, 3));
            if (form.group(4) == null) {
                return Optional.of(
                        new CalendarTime(
                                date.atStartOfDay().toInstant(ZoneOffset.UTC), true, false));
            }
            // A leap second is the one before it.
            LocalTime time =
                    LocalTime.of(number(form, 4), number(form, 5), Math.min(59, number(form, 6)));
            LocalDateTime local = LocalDateTime.of(date, time);
            String name = line.parameters().getOrDefault("TZID", "");
            if (!form.group(7).isEmpty() || name.isEmpty()) {
                return Optional.of(new CalendarTime(local.toInstant(ZoneOffset.UTC), false, false));
            }
            Optional<ZoneId> zone = zone(name);
            return Optional.of(
                    new CalendarTime(
                            local.atZone(zone.orElse(ZoneOffset.UTC)).toInstant(),
                            false,
                            zone.isEmpty()));
        } catch (DateTimeException _) {
            // Such as the 30th of February.
            return Optional.empty();
        }
    }

    /** Returns a time as ISO 8601 has it, or the text if it is none. */
    static String text(String given) {
        return of(new ContentLine("", java.util.Map.of(), given))
                .map(each ->
                        each.isDate
                                ? each.time.atOffset(ZoneOffset.UTC).toLocalDate().toString()
                                : each.time.toString())
                .orElse(given.strip());
    }

    /** Some programs write more than the name of the zone: {@code /citadel.org/Europe/Oslo}. */
    private static Optional<ZoneId> zone(String name) {
        String[] parts = name.split("/", -1);
        String last =
                parts.length > 2 ? parts[parts.length - 2] + "/" + parts[parts.length - 1] : name;
        return ZoneId.getAvailableZoneIds().contains(name)
                ? Optional.of(ZoneId.of(name))
                : Optional.of(last).filter(ZoneId.getAvailableZoneIds()::contains).map(ZoneId::of);
    }

    /** Returns a length of time; empty if the text is none. */
    static Optional<Duration> duration(String text) {
        Matcher form = DURATION.matcher(text.strip());
        if (!form.matches()) {
            return Optional.empty();
        }
        Duration length =
                Duration.ofDays(7L * optional(form, 2) + optional(form, 3))
                        .plusHours(optional(form, 4))
                        .plusMinutes(optional(form, 5))
                        .plusSeconds(optional(form, 6));
        return Optional.of(form.group(1).equals("-") ? length.negated() : length);
    }

    private static int number(Matcher form, int group) {
        return Integer.parseInt(form.group(group));
    }

    private static int optional(Matcher form, int group) {
        return form.group(group) == null ? 0 : number(form, group);
    }
}
