package org.crabro.container.yql;

/**
 * A YQL statement cannot be turned into a query.
 *
 * <p>The message names line and column, says what was expected and what was found, and shows the
 * line with a mark; it goes to the client as it is.
 */
public final class YqlSyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** How much of a long line is shown before and behind the mark, in characters. */
    private static final int SHOWN = 60;

    private final Kind kind;

    private YqlSyntaxException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** What is wrong; it decides the error code that clients see. */
    public enum Kind {
        /** The statement is not what the language asks for, or not what we know how to do. */
        STATEMENT,
        /** The statement is well formed, but a number in it makes no sense. */
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
