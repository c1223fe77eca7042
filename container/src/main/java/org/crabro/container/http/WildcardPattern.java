package org.crabro.container.http;

import java.util.List;

/**
 * A pattern in which {@code *} matches any text. A match takes at most one search for each part,
 * for every pattern and text.
 *
 * @param parts the texts between the stars, at least one
 */
public record WildcardPattern(List<String> parts) {
    public WildcardPattern {
        parts = List.copyOf(parts);
    }

    public static WildcardPattern of(String pattern) {
        return new WildcardPattern(List.of(pattern.split("\\*", -1)));
    }

    public boolean matches(String text) {
        String first = parts.getFirst();
        String last = parts.getLast();
        if (parts.size() == 1) {
            return text.equals(first);
        }
        int end = text.length() - last.length();
        if (!text.startsWith(first) || end < first.length() || !text.endsWith(last)) {
            return false;
        }
        // The first occurrence of each part leaves most of the text for the later parts.
        int from = first.length();
        for (String part : parts.subList(1, parts.size() - 1)) {
            int at = text.indexOf(part, from);
            if (at < 0 || at + part.length() > end) {
                return false;
            }
            from = at + part.length();
        }
        return true;
    }
}
