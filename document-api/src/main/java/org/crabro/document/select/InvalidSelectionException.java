package org.crabro.document.select;

/** A selection cannot be understood, or names what there is not. */
public final class InvalidSelectionException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /** The number of characters shown on each side of the problem. */
    private static final int AROUND = 60;

    private final int position;

    /**
     * @param text the whole selection
     * @param position of the problem, from 0
     */
    InvalidSelectionException(String text, int position, String problem) {
        super("%s at position %d%n%s".formatted(problem, position, excerpt(text, position)));
        this.position = position;
    }

    /** Returns the index of the character that is wrong, from 0. */
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
