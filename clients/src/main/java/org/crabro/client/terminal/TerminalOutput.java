package org.crabro.client.terminal;

/**
 * What the input and the outputs of the process are. The launcher finds it out, because Java cannot
 * tell standard output from standard error.
 */
public final class TerminalOutput {
    private static final int DEFAULT_COLUMNS = 80;
    private static final int LEAST_COLUMNS = 20;

    private TerminalOutput() {}

    /** Returns whether standard output is a terminal. */
    public static boolean isOut() {
        return Boolean.getBoolean("crabro.terminal.out");
    }

    /** Returns whether standard input is a terminal. */
    public static boolean isIn() {
        return Boolean.getBoolean("crabro.terminal.in");
    }

    /** Returns whether standard error is a terminal. */
    public static boolean isErr() {
        return Boolean.getBoolean("crabro.terminal.err");
    }

    /** Returns the width of the terminal in characters. */
    public static int columns() {
        return Math.max(
                LEAST_COLUMNS, Integer.getInteger("crabro.terminal.columns", DEFAULT_COLUMNS));
    }
}
