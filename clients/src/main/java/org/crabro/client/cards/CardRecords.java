package org.crabro.client.cards;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The contacts of a file of vCards, and the events, tasks and journal entries of a calendar, one
 * after another. Components inside of these, such as alarms, are left out. Not thread-safe.
 */
public final class CardRecords {
    /** Components inside each other. */
    static final int DEPTH_MAX = 100;

    /** Lines of a contact or an event. */
    static final int LINES_MAX = 10_000;

    private static final Set<String> RECORDS = Set.of("VCARD", "VEVENT", "VTODO", "VJOURNAL");

    private final String text;
    private final Losses losses;

    /** Where the next line begins, and the number of the last one. */
    private int at;

    private int line;
    private int recordLine;

    /** Gets what cannot be kept. */
    @FunctionalInterface
    public interface Losses {
        /**
         * A value is stored otherwise than it is given.
         *
         * @param change what happens to it
         */
        void add(String field, String change);
    }

    /**
     * @param text the whole file
     */
    public CardRecords(String text, Losses losses) {
        this.text = text;
        this.losses = losses;
    }

    /** Returns the line in which the last record begins. */
    public int line() {
        return recordLine;
    }

    /**
     * Returns the next record; empty at the end.
     *
     * @throws IOException if a component exceeds a limit or does not end; the message says where
     */
    public Optional<Map<String, Object>> next() throws IOException {
        for (Optional<String> next = unfolded(); next.isPresent(); next = unfolded()) {
            ContentLine begin = ContentLine.of(next.get());
            String kind = begin.value().strip().toUpperCase(Locale.ROOT);
            if (begin.name().equals("BEGIN") && RECORDS.contains(kind)) {
                recordLine = line;
                return Optional.of(record(kind));
            }
        }
        return Optional.empty();
    }

    private Map<String, Object> record(String kind) throws IOException {
        List<ContentLine> lines = new ArrayList<>();
        int depth = 0;
        for (Optional<String> next = unfolded(); next.isPresent(); next = unfolded()) {
            ContentLine each = ContentLine.of(next.get());
            if (each.name().equals("BEGIN")) {
                if (++depth > DEPTH_MAX) {
                    throw new IOException(
                            "line %d: more than %d components inside each other, which is the limit"
                                    .formatted(line, DEPTH_MAX));
                }
            } else if (each.name().equals("END")) {
                if (depth-- == 0) {
                    return kind.equals("VCARD")
                            ? Contact.record(lines)
                            : new CalendarEntry(kind, lines, losses).record();
                }
            } else if (depth == 0) {
                if (lines.size() == LINES_MAX) {
                    throw new IOException(
                            "line %d: more than %,d lines in a %s, which is the limit"
                                    .formatted(line, LINES_MAX, kind));
                }
                lines.add(each);
            }
        }
        throw new IOException("line %d: a %s without an end".formatted(recordLine, kind));
    }

    /** Returns the next line with those that continue it; empty at the end. */
    private Optional<String> unfolded() {
        Optional<String> first = physical();
        if (first.isEmpty()) {
            return first;
        }
        var whole = new StringBuilder(first.get());
        boolean isSoft = ContentLine.isSoftBreak(first.get());
        while (at < text.length()) {
            if (isSoft) {
                whole.setLength(whole.length() - 1);
                String more = physical().orElse("");
                whole.append(more);
                isSoft = more.endsWith("=");
            } else if (text.charAt(at) == ' ' || text.charAt(at) == '\t') {
                at++;
                whole.append(physical().orElse(""));
            } else {
                break;
            }
        }
        return Optional.of(whole.toString());
    }

    private Optional<String> physical() {
        if (at >= text.length()) {
            return Optional.empty();
        }
        int end = text.indexOf('\n', at);
        int next = end < 0 ? text.length() : end + 1;
        int last = end < 0 ? text.length() : end;
        String physical =
                text.substring(at, last > at && text.charAt(last - 1) == '\r' ? last - 1 : last);
        at = next;
        line++;
        return Optional.of(physical);
    }

    /** Adds a value to a list of a record. */
    static void addTo(Map<String, List<Object>> lists, String name, Object value) {
        lists.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
    }

    /** Returns a record in which lists of one value are that value, unless they are named. */
    static Map<String, Object> record(Map<String, List<Object>> lists, Set<String> several) {
        Map<String, Object> record = new LinkedHashMap<>();
        lists.forEach((name, values) ->
                record.put(
                        name,
                        values.size() == 1 && !several.contains(name)
                                ? values.getFirst()
                                : values));
        return record;
    }
}
