package org.crabro.config.queryprofile;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The text of a value, with places where other values are put in.
 *
 * <pre>
 *   text  := ( characters | "%{" name "}" | "%{." name "}" )*
 * </pre>
 *
 * @param parts in order
 */
record TextTemplate(List<Part> parts) {
    private static final String OPEN = "%{";

    TextTemplate {
        parts = List.copyOf(parts);
    }

    /** A part of the text. */
    sealed interface Part {
        /** Characters as they are. */
        record Characters(String text) implements Part {}

        /** The value of a request parameter, or of the whole profile; empty if neither exists. */
        record Parameter(String name) implements Part {}

        /** Another value of the profile that contains the text. */
        record Sibling(String name) implements Part {}
    }

    /** Returns the text, or empty if it refers to other values. */
    Optional<String> plain() {
        var text = new StringBuilder();
        for (Part part : parts) {
            if (!(part instanceof Part.Characters(String characters))) {
                return Optional.empty();
            }
            text.append(characters);
        }
        return Optional.of(text.toString());
    }

    /**
     * Parses a text.
     *
     * @throws IllegalArgumentException if a reference is not closed; the message names it
     */
    static TextTemplate parse(String text) {
        var parts = new ArrayList<Part>();
        int at = 0;
        while (at < text.length()) {
            int open = text.indexOf(OPEN, at);
            if (open < 0) {
                parts.add(new Part.Characters(text.substring(at)));
                break;
            }
            if (open > at) {
                parts.add(new Part.Characters(text.substring(at, open)));
            }
            int close = text.indexOf('}', open);
            if (close < 0) {
                throw new IllegalArgumentException(
                        "expected } after '" + text.substring(open) + "'");
            }
            String name = text.substring(open + OPEN.length(), close);
            parts.add(
                    name.startsWith(".")
                            ? new Part.Sibling(name.substring(1))
                            : new Part.Parameter(name));
            at = close + 1;
        }
        return new TextTemplate(parts);
    }
}
