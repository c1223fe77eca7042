package org.crabro.client.feed;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
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
    private final byte[] buffer = new byte[BUFFER_SIZE];
    private int next;
    private int end;
    private byte[] operation = new byte[1 << 12];
    private int length;
    private long number;

    /**
     * @param longest of an operation, in bytes
     */
    OperationSplitter(InputStream in, int longest) {
        this.in = in;
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
        int b = read();
        while (b >= 0 && isBetween(b)) {
            b = read();
        }
        if (b < 0) {
            return Optional.empty();
        }
        number++;
        length = 0;
        if (b == '{') {
            object();
        } else {
            for (; b >= 0 && b != '\n'; b = read()) {
                put(b);
            }
        }
        return Optional.of(Arrays.copyOf(operation, length));
    }

    private int read() throws IOException {
        if (next == end) {
            end = in.read(buffer);
            next = 0;
            if (end <= 0) {
                end = 0;
                return -1;
            }
        }
        return buffer[next++] & 0xff;
    }

    private static boolean isBetween(int b) {
        return switch (b) {
            case ' ', '\t', '\r', '\n', ',', '[', ']' -> true;
            default -> false;
        };
    }

    /** Reads to the end of an object, or of the file. */
    private void object() throws IOException {
        put('{');
        int depth = 1;
        boolean isText = false;
        boolean isEscaped = false;
        while (depth > 0) {
            int b = read();
            if (b < 0) {
                return;
            }
            // No string may hold a line end, and none may hold a tabulator.
            put(b != '\n' ? b : isText ? '\t' : ' ');
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

    private void put(int b) throws IOException {
        if (length == longest) {
            throw new IOException(
                    "operation %d has more than %,d bytes".formatted(number, longest));
        }
        if (length == operation.length) {
            operation = Arrays.copyOf(operation, Math.min(longest, 2 * length));
        }
        operation[length++] = (byte) b;
    }
}
