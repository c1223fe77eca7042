package org.crabro.client.shell;

import java.io.IOException;
import java.util.Optional;

/** The lines that a user enters. */
interface ShellInput extends AutoCloseable {
    /**
     * Returns the next line; empty at the end of the input.
     *
     * @param before the lines of the unfinished statement; empty for a new one
     * @throws InterruptedLineException if the user gives the statement up
     */
    Optional<String> next(String before) throws IOException;

    @Override
    void close() throws IOException;

    /** The user has interrupted a line. Has no stack trace, because it is no error. */
    final class InterruptedLineException extends RuntimeException {
        private static final long serialVersionUID = 1;

        InterruptedLineException() {
            super("interrupted", null, false, false);
        }
    }
}
