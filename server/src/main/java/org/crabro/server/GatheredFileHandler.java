package org.crabro.server;

import java.io.IOException;
import java.util.logging.Formatter;

/**
 * Log files whose lines are buffered. They are written when the buffer is full, on request, and at
 * the end. A process that is killed loses the buffered lines.
 */
final class GatheredFileHandler extends LogFile {
    /**
     * @param pattern of the files' names, as in {@link LogFile}
     * @param bytes the approximate maximum size of a file
     * @param files the number of files that are kept
     */
    GatheredFileHandler(String pattern, int bytes, int files, Formatter formatter)
            throws IOException {
        super(pattern, bytes, files, formatter);
    }

    /** Does nothing, because it is called for each line. */
    @Override
    public void flush() {
        // Lines are buffered until the buffer is full or write() is called.
    }

    /** Writes the lines that wait. */
    void write() {
        super.flush();
    }
}
