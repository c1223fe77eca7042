package org.crabro.config.application;

import java.util.ArrayList;
import java.util.List;

/**
 * A glob over paths, as {@link IgnoredPaths} describes it. Matching takes at most (parts of the
 * glob) x (characters of the path) steps.
 *
 * @param isDirectory whether the glob ends with a slash, so that it matches all paths below it
 */
record PathGlob(List<Part> parts, boolean isDirectory) {
    PathGlob {
        parts = List.copyOf(parts);
    }

    /** An element of a glob. */
    sealed interface Part {
        /** Any characters but slashes. */
        record Star() implements Part {}

        /** One character. */
        sealed interface One extends Part {
            boolean matches(int codePoint);
        }

        /** This character. */
        record Same(int codePoint) implements One {
            @Override
            public boolean matches(int other) {
                return codePoint == other;
            }
        }

        /**
         * One of some characters, or none of them and no slash.
         *
         * @param ranges pairs of a first and a last character
         */
        record Choice(List<Integer> ranges, boolean isNegative) implements One {
            @Override
            public boolean matches(int codePoint) {
                for (int i = 0; i < ranges.size(); i += 2) {
                    if (ranges.get(i) <= codePoint && codePoint <= ranges.get(i + 1)) {
                        return !isNegative;
                    }
                }
                return isNegative && codePoint != '/';
            }
        }
    }

    /**
     * Parses a glob.
     *
     * @throws IllegalArgumentException if {@code text} is not a valid glob; the message contains
     *     the expected form
     */
    static PathGlob parse(String text) {
        var parts = new ArrayList<Part>();
        int at = 0;
        while (at < text.length()) {
            int c = text.codePointAt(at);
            int next = at + Character.charCount(c);
            switch (c) {
                case '*' -> parts.add(new Part.Star());
                case '?' -> parts.add(new Part.Choice(List.of(), true));
                case '[' -> {
                    int end = text.indexOf(']', at + 2);
                    if (end < 0) {
                        throw new IllegalArgumentException(
                                "expected ] after '%s'".formatted(text.substring(at)));
                    }
                    parts.add(choice(text.substring(next, end)));
                    next = end + 1;
                }
                case '\\' -> {
                    if (next == text.length()) {
                        throw new IllegalArgumentException("expected a character after \\");
                    }
                    int escaped = text.codePointAt(next);
                    parts.add(new Part.Same(escaped));
                    next += Character.charCount(escaped);
                }
                default -> parts.add(new Part.Same(c));
            }
            at = next;
        }
        return new PathGlob(parts, text.endsWith("/"));
    }

    private static Part choice(String characters) {
        boolean isNegative = characters.startsWith("^");
        int[] all = characters.codePoints().skip(isNegative ? 1 : 0).toArray();
        var ranges = new ArrayList<Integer>();
        for (int i = 0; i < all.length; i++) {
            boolean isRange = i + 2 < all.length && all[i + 1] == '-';
            int last = isRange ? all[i + 2] : all[i];
            if (last < all[i]) {
                throw new IllegalArgumentException(
                        "expected characters in rising order in '[%s]'".formatted(characters));
            }
            ranges.add(all[i]);
            ranges.add(last);
            i += isRange ? 2 : 0;
        }
        return new Part.Choice(ranges, isNegative);
    }

    boolean matches(String path) {
        int[] text = path.codePoints().toArray();
        int at = 0;
        int part = 0;
        // Only the last star is retried: no star matches a slash, so an earlier one cannot help.
        int star = -1;
        int retry = 0;
        while (part < parts.size() || (at < text.length && !isDirectory)) {
            if (part < parts.size() && parts.get(part) instanceof Part.Star) {
                star = part++;
                retry = at;
            } else if (part < parts.size()
                    && at < text.length
                    && parts.get(part) instanceof Part.One one
                    && one.matches(text[at])) {
                part++;
                at++;
            } else if (star >= 0 && retry < text.length && text[retry] != '/') {
                at = ++retry;
                part = star + 1;
            } else {
                return false;
            }
        }
        return true;
    }
}
