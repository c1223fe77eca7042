package org.crabro.ranking.expression;

/**
 * Where a part of an expression was written, so that an error can point at it after functions were
 * put into one another.
 *
 * @param text the whole expression, or the whole body of the function, as written
 * @param offset characters from the start of {@code text}, at most its length
 */
public record ExpressionPosition(String text, int offset) {
    /** The origin of an expression that was not parsed from text. */
    public static final ExpressionPosition UNKNOWN = new ExpressionPosition("", 0);

    public ExpressionPosition {
        if (offset < 0 || offset > text.length()) {
            throw new IllegalArgumentException("offset " + offset + " in '" + text + "'");
        }
    }

    /** Returns the line in the text, from 1 on. */
    public int line() {
        return 1 + (int) text.chars().limit(offset).filter(c -> c == '\n').count();
    }

    /** Returns the column in the line, from 1 on. */
    public int column() {
        return offset - lineStart() + 1;
    }

    /**
     * Returns {@code problem} with line and column before it, and below it the line with a caret;
     * only the problem if the origin is unknown.
     */
    public String describe(String problem) {
        if (text.isEmpty()) {
            return problem;
        }
        int end = text.indexOf('\n', offset);
        String line = text.substring(lineStart(), end < 0 ? text.length() : end);
        String caret = " ".repeat(column() - 1) + "^";
        return line() + ":" + column() + ": " + problem + "\n  " + line + "\n  " + caret;
    }

    private int lineStart() {
        return text.lastIndexOf('\n', offset - 1) + 1;
    }
}
