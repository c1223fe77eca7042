package org.crabro.server;

import java.io.IOException;
import java.io.InputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the end of the standard input. If it is a pipe, it ends when the program that holds the
 * other end closes it or is killed.
 */
final class InputEnd {
    private static final Logger LOG = LoggerFactory.getLogger(InputEnd.class);

    /** The input has no meaning, so little of it is read at once. */
    private static final int READ_BYTES = 512;

    private InputEnd() {}

    /**
     * Starts a thread that reads the input and discards it.
     *
     * @param action runs once, in that thread, after the end of the input or an error
     */
    static Thread await(InputStream input, Runnable action) {
        return Thread.ofPlatform()
                .daemon()
                .name("input")
                .start(() -> {
                    try {
                        var discarded = new byte[READ_BYTES];
                        int read = input.read(discarded);
                        while (read >= 0) {
                            read = input.read(discarded);
                        }
                        LOG.info("The standard input has ended, so the server stops");
                    } catch (IOException e) {
                        LOG.warn("The standard input cannot be read, so the server stops", e);
                    }
                    action.run();
                });
    }
}
