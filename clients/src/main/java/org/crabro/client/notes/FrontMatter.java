package org.crabro.client.notes;

import java.util.Map;
import java.util.Optional;

/**
 * The values before a note: YAML between a first line of three dashes and a line of three dashes or
 * dots.
 *
 * <pre>
 *   note  := "---" end yaml ("---" | "...") end text
 *   yaml  := a block mapping
 * </pre>
 *
 * @param values by their names: {@code String}, {@link PlainScalar}, lists and maps. Values that
 *     are null are missing, in lists they are empty {@code Optional}s
 * @param text the note after them
 */
public record FrontMatter(Map<String, Object> values, String text) {
    /** More characters are no front matter. */
    public static final int CHARS_MAX = 65_536;

    private static final String LINE = "---";

    /**
     * Returns the front matter of a note; empty if it has none.
     *
     * @throws FrontMatterException if the lines at its place are no YAML, or more than is read
     */
    public static Optional<FrontMatter> of(String note) throws FrontMatterException {
        int from = lineEnd(note, 0);
        if (!note.substring(0, Math.min(from, note.length())).stripTrailing().equals(LINE)) {
            return Optional.empty();
        }
        for (int begin = from; begin < note.length(); ) {
            int end = lineEnd(note, begin);
            String line = note.substring(begin, end).stripTrailing();
            if (line.equals(LINE) || line.equals("...")) {
                if (begin - from > CHARS_MAX) {
                    throw new FrontMatterException("more than %,d characters".formatted(CHARS_MAX));
                }
                return YamlValues.of(note.substring(from, begin))
                        .map(values -> new FrontMatter(values, note.substring(end)));
            }
            begin = end;
        }
        return Optional.empty();
    }

    /** Returns where the next line begins. */
    private static int lineEnd(String text, int from) {
        int end = text.indexOf('\n', from);
        return end < 0 ? text.length() : end + 1;
    }
}
