package org.crabro.document.select;

import org.crabro.text.Excerpt;

/** Thrown if a selection has a syntax error, or names a type or field that does not exist. */
public final class InvalidSelectionException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /** The number of characters in the message on each side of the error. */
    private static final int AROUND = 60;

    private final int position;

    /**
     * @param text the whole selection
     * @param position of the error, from 0
     */
    InvalidSelectionException(String text, int position, String problem) {
        super(
                "%s at position %d%n%s"
                        .formatted(Excerpt.message(problem), position, excerpt(text, position)));
        this.position = position;
    }

    /** Returns the index of the wrong character, from 0. */
    public int position() {
        return position;
    }

    private static String excerpt(String text, int position) {
        int from = Math.max(0, position - AROUND);
        int to = Math.min(text.length(), position + AROUND);
        String shown = text.substring(from, to).replaceAll("\\s", " ");
        return shown + System.lineSeparator() + " ".repeat(position - from) + "^";
    }
}
