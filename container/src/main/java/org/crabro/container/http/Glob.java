package org.crabro.container.http;

import java.util.List;

/**
 * A pattern in which {@code *} stands for any text. However it and the text are made, matching
 * takes no longer than to look for each of its parts once.
 *
 * @param parts what stands between the stars, at least one
 */
public record Glob(List<String> parts) {
    public Glob {
        parts = List.copyOf(parts);
    }

    public static Glob of(String pattern) {
        return new Glob(List.of(pattern.split("\\*", -1)));
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
        // Each part where it stands first leaves most for those behind it.
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
