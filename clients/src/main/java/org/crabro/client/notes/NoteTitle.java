package org.crabro.client.notes;

import java.util.Optional;

/** The title of a Markdown text. */
public final class NoteTitle {
    private NoteTitle() {}

    /**
     * Returns the first heading outside of blocks of code: a line after number signs, or one above
     * a line of equals signs.
     */
    public static Optional<String> of(String text) {
        String fence = "";
        String before = "";
        for (String line : (Iterable<String>) text.lines()::iterator) {
            String bare = line.strip();
            if (!fence.isEmpty()) {
                if (bare.startsWith(fence)) {
                    fence = "";
                }
                continue;
            }
            if (bare.startsWith("```") || bare.startsWith("~~~")) {
                fence = bare.substring(0, 3);
                before = "";
                continue;
            }
            Optional<String> title = marked(line);
            if (title.isPresent()) {
                return title;
            }
            if (!before.isEmpty() && !bare.isEmpty() && bare.chars().allMatch(c -> c == '=')) {
                return Optional.of(before);
            }
            before = bare;
        }
        return Optional.empty();
    }

    private static Optional<String> marked(String line) {
        int signs = 0;
        while (signs < line.length() && line.charAt(signs) == '#') {
            signs++;
        }
        if (signs == 0
                || signs == line.length()
                || (line.charAt(signs) != ' ' && line.charAt(signs) != '\t')) {
            return Optional.empty();
        }
        String title = withoutEnd(line.substring(signs).strip());
        return title.isEmpty() ? Optional.empty() : Optional.of(title);
    }

    /** Returns a heading without blanks and number signs at its end. */
    private static String withoutEnd(String heading) {
        int end = heading.length();
        while (end > 0 && " \t#".indexOf(heading.charAt(end - 1)) >= 0) {
            end--;
        }
        return heading.substring(0, end);
    }
}
