package org.crabro.container.yql;

/**
 * A YQL statement cannot be converted to a query.
 *
 * <p>The message contains the line and the column, the expected and the found text, and the line
 * with a mark. It is sent unchanged to the client.
 */
public final class YqlSyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The number of characters of a long line that are shown before and after the mark. */
    private static final int SHOWN = 60;

    private final Kind kind;

    private YqlSyntaxException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** The kind of error; it determines the error code in answers. */
    public enum Kind {
        /** The statement is not well formed, or uses an unsupported part of the language. */
        STATEMENT,
        /** The statement is well formed, but a number in it is not valid. */
        VALUE
    }

    static YqlSyntaxException at(String text, int offset, String problem) {
        return at(Kind.STATEMENT, text, offset, problem);
    }

    /**
     * @param offset index of the character in {@code text} to point at; its length for the end
     */
    static YqlSyntaxException at(Kind kind, String text, int offset, String problem) {
        return in("query from YQL: query", kind, text, offset, problem);
    }

    /**
     * @param what could not be made, and of what
     * @param offset index of the character in {@code text} to point at; its length for the end
     */
    static YqlSyntaxException in(String what, Kind kind, String text, int offset, String problem) {
        int lineStart = text.lastIndexOf('\n', offset - 1) + 1;
        int lineEnd = text.indexOf('\n', offset);
        if (lineEnd < 0) {
            lineEnd = text.length();
        }
        long line = 1 + text.substring(0, lineStart).chars().filter(c -> c == '\n').count();
        int from = Math.max(lineStart, offset - SHOWN);
        int to = Math.min(lineEnd, offset + SHOWN);
        String before = (from > lineStart ? "..." : "") + text.substring(from, offset);
        String behind = text.substring(offset, to) + (to < lineEnd ? "..." : "");
        String message =
                "Could not create %s:L%d:%d %s%n  %s%n  %s^"
                        .formatted(
                                what,
                                line,
                                offset - lineStart,
                                problem,
                                printable(before + behind),
                                " ".repeat(before.length()));
        return new YqlSyntaxException(kind, message.replace(System.lineSeparator(), "\n"));
    }

    public Kind kind() {
        return kind;
    }

    /** One character stays one character, so that the mark stays below its place. */
    private static String printable(String line) {
        return line.replaceAll("\\p{Cntrl}", " ");
    }
}
