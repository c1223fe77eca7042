package org.crabro.client.feed;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Splits a feed file into its operations, each as one line. The file is a JSON array, or
 * consecutive objects with line ends anywhere. Other text between two objects is returned as a line
 * of its own, so that its parser reports the error. Not thread-safe.
 */
final class OperationSplitter {
    private static final int BUFFER_SIZE = 1 << 16;

    private final InputStream in;
    private final int longest;
    private long number;

    /**
     * @param longest of an operation, in bytes
     */
    OperationSplitter(InputStream in, int longest) {
        this.in = new BufferedInputStream(in, BUFFER_SIZE);
        this.longest = longest;
    }

    /** Returns the number of the last returned operation, from 1. */
    long number() {
        return number;
    }

    /**
     * Returns the next operation without a line end; empty at the end of the file.
     *
     * @throws IOException if the file cannot be read, or an operation is too long
     */
    Optional<byte[]> next() throws IOException {
        int b = in.read();
        while (b >= 0 && isBetween(b)) {
            b = in.read();
        }
        if (b < 0) {
            return Optional.empty();
        }
        number++;
        var operation = new ByteArrayOutputStream();
        if (b == '{') {
            object(operation);
        } else {
            for (; b >= 0 && b != '\n'; b = in.read()) {
                put(operation, b);
            }
        }
        return Optional.of(operation.toByteArray());
    }

    private static boolean isBetween(int b) {
        return switch (b) {
            case ' ', '\t', '\r', '\n', ',', '[', ']' -> true;
            default -> false;
        };
    }

    /** Reads to the end of an object, or of the file. */
    private void object(ByteArrayOutputStream operation) throws IOException {
        put(operation, '{');
        int depth = 1;
        boolean isText = false;
        boolean isEscaped = false;
        while (depth > 0) {
            int b = in.read();
            if (b < 0) {
                return;
            }
            // No string may hold a line end, and none may hold a tabulator.
            put(operation, b != '\n' ? b : isText ? '\t' : ' ');
            if (isText) {
                isText = isEscaped || b != '"';
                isEscaped = !isEscaped && b == '\\';
            } else if (b == '"') {
                isText = true;
            } else if (b == '{') {
                depth++;
            } else if (b == '}') {
                depth--;
            }
        }
    }

    private void put(ByteArrayOutputStream operation, int b) throws IOException {
        if (operation.size() == longest) {
            throw new IOException(
                    "operation %d has more than %,d bytes".formatted(number, longest));
        }
        operation.write(b);
    }
}
