package org.crabro.config.parser;

/**
 * A position in a source file.
 *
 * @param offset in characters from the file's start
 */
public record SourcePosition(SourceText source, int offset) {
    /** The number of characters of a long line that are shown on each side of the position. */
    private static final int CONTEXT_LIMIT = 120;

    /** Returns the line's number, the first being 1. */
    public int line() {
        return 1 + source.line(offset);
    }

    /** Returns the number of the character in its line, the first being 1. */
    public int column() {
        return offset - lineStart() + 1;
    }

    /** Returns the position {@code distance} characters later, or the end of the file. */
    public SourcePosition plus(int distance) {
        return source.at(Math.min(offset + distance, source.text().length()));
    }

    /**
     * Returns {@code problem} with the position before it, and below it the line with a caret. A
     * position at the end of the file is moved to the end of the last non-blank line.
     */
    public String pointing(String problem) {
        int last =
                offset == source.text().length() ? source.text().stripTrailing().length() : offset;
        return last == offset ? shown(problem) : source.at(last).shown(problem);
    }

    private String shown(String problem) {
        int start = Math.max(lineStart(), offset - CONTEXT_LIMIT);
        int end = Math.min(lineEnd(), offset + CONTEXT_LIMIT);
        String before = source.text().substring(start, offset);
        String line = source.text().substring(start, end).stripTrailing();
        return this + ": " + problem + "\n  " + line + "\n  " + blanksAsWideAs(before) + "^";
    }

    /**
     * Returns the position for a message at {@code reader}: only the line if both are in one file.
     */
    public String seenFrom(SourcePosition reader) {
        return source.equals(reader.source) ? "line " + line() : toString();
    }

    /** Returns the position as {@code file:line:column}. */
    @Override
    public String toString() {
        return source.file() + ":" + line() + ":" + column();
    }

    private int lineStart() {
        return source.lineStart(source.line(offset));
    }

    private int lineEnd() {
        int end = source.text().indexOf('\n', offset);
        return end < 0 ? source.text().length() : end;
    }

    private static String blanksAsWideAs(String text) {
        return text.replaceAll("[^\t]", " ");
    }
}
