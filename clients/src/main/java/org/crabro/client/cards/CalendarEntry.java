package org.crabro.client.cards;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The record of an event, a task or a journal entry. Events that repeat are one record. */
final class CalendarEntry {
    private static final Set<String> SEVERAL =
            Set.of("attendees", "categories", "attachments", "comments", "exdate", "rdate");
    private static final Set<String> LEFT_OUT = Set.of("DTSTAMP", "SEQUENCE", "");

    private final String kind;
    private final List<ContentLine> lines;
    private final CardRecords.Losses losses;
    private final Map<String, List<Object>> lists = new LinkedHashMap<>();

    CalendarEntry(String kind, List<ContentLine> lines, CardRecords.Losses losses) {
        this.kind = kind;
        this.lines = lines;
        this.losses = losses;
    }

    Map<String, Object> record() {
        Optional<Duration> length = Optional.empty();
        CardRecords.addTo(lists, "kind", kind.substring(1).toLowerCase(Locale.ROOT));
        for (ContentLine line : lines) {
            if (LEFT_OUT.contains(line.name()) || line.value().isBlank()) {
                continue;
            }
            if (line.name().equals("DURATION")) {
                length = CalendarTime.duration(line.value());
                if (length.isEmpty()) {
                    losses.add("end", "left out because the duration is none");
                }
                continue;
            }
            add(line);
        }
        List<Object> starts = lists.getOrDefault("start", List.of());
        if (length.isPresent() && !starts.isEmpty() && !lists.containsKey("end")) {
            CardRecords.addTo(lists, "end", ((Instant) starts.getFirst()).plus(length.get()));
        }
        return CardRecords.record(lists, SEVERAL);
    }

    private void add(ContentLine line) {
        switch (line.name()) {
            case "UID" -> CardRecords.addTo(lists, "uid", line.text().strip());
            case "SUMMARY" -> CardRecords.addTo(lists, "title", line.text());
            case "DESCRIPTION" -> CardRecords.addTo(lists, "text", line.text());
            case "DTSTART" -> addStart(line);
            case "DTEND" -> addTime("end", line);
            case "DUE" -> addTime("due", line);
            case "COMPLETED" -> addTime("completed", line);
            case "CREATED" -> addTime("created", line);
            case "LAST-MODIFIED" -> addTime("changed", line);
            case "RECURRENCE-ID" -> addTime("instead_of", line);
            case "RRULE" -> CardRecords.addTo(lists, "repeats", line.value().strip());
            case "ORGANIZER" -> CardRecords.addTo(lists, "organizer", person(line));
            case "ATTENDEE" -> CardRecords.addTo(lists, "attendees", person(line));
            case "ATTACH" -> {
                if (line.parameters().getOrDefault("VALUE", "").equalsIgnoreCase("BINARY")) {
                    losses.add("attachments", "bytes in the calendar left out");
                } else {
                    CardRecords.addTo(lists, "attachments", line.text().strip());
                }
            }
            case "COMMENT" -> CardRecords.addTo(lists, "comments", line.text());
            case "CATEGORIES" ->
                    line.parts(',').stream()
                            .filter(each -> !each.isEmpty())
                            .forEach(each -> CardRecords.addTo(lists, "categories", each));
            default ->
                    CardRecords.addTo(
                            lists, line.name().toLowerCase(Locale.ROOT), line.text().strip());
        }
    }

    private void addStart(ContentLine line) {
        if (lists.containsKey("start")) {
            losses.add("start", "a second one left out");
            return;
        }
        addTime("start", line);
        CalendarTime.of(line).ifPresent(time -> CardRecords.addTo(lists, "all_day", time.isDate()));
        String zone = line.parameters().getOrDefault("TZID", "");
        if (!zone.isEmpty()) {
            CardRecords.addTo(lists, "zone", zone);
        }
    }

    private void addTime(String field, ContentLine line) {
        Optional<CalendarTime> time = CalendarTime.of(line);
        if (time.isEmpty()) {
            losses.add(field, "left out because it is no time");
            return;
        }
        if (time.get().isZoneUnknown()) {
            losses.add(field, "read as UTC because its zone is unknown");
        }
        CardRecords.addTo(lists, field, time.get().time());
    }

    private static String person(ContentLine line) {
        String address = line.text().strip();
        String bare =
                address.regionMatches(true, 0, "mailto:", 0, 7) ? address.substring(7) : address;
        String name = line.parameters().getOrDefault("CN", "").strip();
        return name.isEmpty() || name.equals(bare) ? bare : name + " <" + bare + ">";
    }
}
