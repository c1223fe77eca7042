package org.crabro.server;

import java.io.IOException;
import java.util.logging.FileHandler;
import java.util.logging.Formatter;

/**
 * Files of lines that are written some at a time: when as many as fill a buffer have come, when
 * somebody asks for it, and at the end. A process that is killed loses the lines in between.
 */
final class GatheredFileHandler extends FileHandler {
    /**
     * @param pattern of the files' names, as the platform's own handler takes it
     * @param bytes how long a file gets, about
     * @param files how many are kept
     */
    GatheredFileHandler(String pattern, int bytes, int files, Formatter formatter)
            throws IOException {
        super(pattern, bytes, files, true);
        setFormatter(formatter);
    }

    /** Does nothing: it is called for each line. */
    @Override
    public void flush() {
        // Lines wait for others, or for write().
    }

    /** Writes the lines that wait. */
    void write() {
        super.flush();
    }
}
