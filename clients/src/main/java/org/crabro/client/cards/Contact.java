package org.crabro.client.cards;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The record of a vCard. Pictures, sounds and keys are left out. */
final class Contact {
    private static final Set<String> SEVERAL =
            Set.of("emails", "phones", "addresses", "urls", "categories", "messengers");

    private static final Set<String> LEFT_OUT =
            Set.of(
                    "VERSION",
                    "PHOTO",
                    "LOGO",
                    "SOUND",
                    "KEY",
                    "PRODID",
                    "SORT-STRING",
                    "AGENT",
                    "");

    private Contact() {}

    static Map<String, Object> record(List<ContentLine> lines) {
        Map<String, List<Object>> lists = new LinkedHashMap<>();
        String structured = "";
        for (ContentLine line : lines) {
            if (LEFT_OUT.contains(line.name()) || line.value().isBlank()) {
                continue;
            }
            switch (line.name()) {
                case "FN" -> CardRecords.addTo(lists, "name", line.text().strip());
                case "N" -> structured = structured.isEmpty() ? name(line) : structured;
                case "EMAIL" -> CardRecords.addTo(lists, "emails", line.text().strip());
                case "TEL" ->
                        CardRecords.addTo(lists, "phones", withoutScheme(line.text(), "tel:"));
                case "ADR" -> CardRecords.addTo(lists, "addresses", joined(line, ", "));
                case "ORG" -> CardRecords.addTo(lists, "organization", joined(line, ", "));
                case "TITLE" -> CardRecords.addTo(lists, "job", line.text().strip());
                case "URL" -> CardRecords.addTo(lists, "urls", line.text().strip());
                case "IMPP" -> CardRecords.addTo(lists, "messengers", line.text().strip());
                case "BDAY" -> CardRecords.addTo(lists, "birthday", date(line.text().strip()));
                case "ANNIVERSARY" ->
                        CardRecords.addTo(lists, "anniversary", date(line.text().strip()));
                case "REV" -> CardRecords.addTo(lists, "changed", CalendarTime.text(line.text()));
                case "NOTE" -> CardRecords.addTo(lists, "text", line.text());
                case "UID" -> CardRecords.addTo(lists, "uid", line.text().strip());
                case "CATEGORIES" ->
                        line.parts(',').stream()
                                .filter(each -> !each.isEmpty())
                                .forEach(each -> CardRecords.addTo(lists, "categories", each));
                default ->
                        CardRecords.addTo(
                                lists, line.name().toLowerCase(Locale.ROOT), line.text().strip());
            }
        }
        if (!structured.isEmpty() && !lists.containsKey("name")) {
            CardRecords.addTo(lists, "name", structured);
        }
        return CardRecords.record(lists, SEVERAL);
    }

    /** The parts are family name, given name, further names, prefixes and suffixes. */
    private static String name(ContentLine line) {
        List<String> parts = line.parts(';');
        var name = new StringBuilder();
        for (int index : new int[] {3, 1, 2, 0, 4}) {
            if (index < parts.size() && !parts.get(index).isEmpty()) {
                name.append(name.isEmpty() ? "" : " ").append(parts.get(index));
            }
        }
        return name.toString();
    }

    private static String joined(ContentLine line, String separator) {
        return line.parts(';').stream()
                .filter(each -> !each.isEmpty())
                .collect(Collectors.joining(separator));
    }

    private static String withoutScheme(String text, String scheme) {
        String bare = text.strip();
        return bare.regionMatches(true, 0, scheme, 0, scheme.length())
                ? bare.substring(scheme.length())
                : bare;
    }

    /** Returns a whole date with dashes. Others, such as one without a year, stay as they are. */
    private static String date(String text) {
        return text.matches("[0-9]{8}")
                ? text.substring(0, 4) + "-" + text.substring(4, 6) + "-" + text.substring(6)
                : text;
    }
}
