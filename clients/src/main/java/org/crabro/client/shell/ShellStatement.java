package org.crabro.client.shell;

import java.util.Optional;
import org.crabro.client.query.ClientQuery;

/** What a user enters: a query, or a command that begins with a backslash. */
sealed interface ShellStatement {
    /** A query in YQL, without the semicolon at its end, or words. */
    record Query(String yql) implements ShellStatement {}

    /**
     * A command.
     *
     * @param name without the backslash
     * @param argument empty for none
     */
    record Command(String name, String argument) implements ShellStatement {}

    /** Nothing, such as an empty line or a comment. */
    record Nothing() implements ShellStatement {}

    /**
     * Reads the lines entered so far. A query ends with a semicolon; words and a command end with
     * their line, unless the argument of the command is a query.
     *
     * @param text lines, separated by line ends
     * @param isLast whether no more lines follow
     * @return empty if a line is missing
     */
    static Optional<ShellStatement> parse(String text, boolean isLast) {
        String entered = text.strip();
        if (entered.isEmpty() || entered.startsWith("--")) {
            return Optional.of(new Nothing());
        }
        boolean isCommand = entered.startsWith("\\");
        int blank = isCommand ? firstBlank(entered) : 0;
        String argument = isCommand ? entered.substring(blank).strip() : entered;
        boolean isQuery = !isCommand || argument.startsWith("select ");
        boolean isYql = isQuery && ClientQuery.isYql(argument);
        if (isYql && !argument.endsWith(";") && !isLast) {
            return Optional.empty();
        }
        String whole = isQuery ? withoutEnd(argument) : argument;
        return Optional.of(
                isCommand ? new Command(entered.substring(1, blank), whole) : new Query(whole));
    }

    private static int firstBlank(String command) {
        for (int i = 0; i < command.length(); i++) {
            if (Character.isWhitespace(command.charAt(i))) {
                return i;
            }
        }
        return command.length();
    }

    private static String withoutEnd(String query) {
        String left = query;
        while (left.endsWith(";")) {
            left = left.substring(0, left.length() - 1).stripTrailing();
        }
        return left;
    }
}
