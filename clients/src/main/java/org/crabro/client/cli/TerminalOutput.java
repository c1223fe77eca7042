package org.crabro.client.cli;

/**
 * What the outputs of the process are. The launcher finds it out, because Java cannot tell standard
 * output from standard error.
 */
final class TerminalOutput {
    private static final int DEFAULT_COLUMNS = 80;
    private static final int LEAST_COLUMNS = 20;

    private TerminalOutput() {}

    /** Returns whether standard output is a terminal. */
    static boolean isOut() {
        return Boolean.getBoolean("crabro.terminal.out");
    }

    /** Returns whether standard error is a terminal. */
    static boolean isErr() {
        return Boolean.getBoolean("crabro.terminal.err");
    }

    /** Returns the width of the terminal in characters. */
    static int columns() {
        return Math.max(
                LEAST_COLUMNS, Integer.getInteger("crabro.terminal.columns", DEFAULT_COLUMNS));
    }
}
