package org.crabro.client.file;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/** The lines of a file, of a bounded length. Not thread-safe. */
public final class BoundedLines implements AutoCloseable {
    private static final int BUFFER_SIZE = 1 << 16;

    private final BufferedInputStream in;
    private final int longest;
    private long number;

    /**
     * @param longest of a line, in bytes
     */
    public BoundedLines(InputStream in, int longest) {
        this.in = new BufferedInputStream(in, BUFFER_SIZE);
        this.longest = longest;
    }

    /** Returns the number of the last returned line, from 1. */
    public long number() {
        return number;
    }

    /**
     * Returns the next line without its end; empty at the end of the file.
     *
     * @throws IOException if the file cannot be read, or the line is too long
     */
    public Optional<byte[]> next() throws IOException {
        int b = in.read();
        if (b < 0) {
            return Optional.empty();
        }
        number++;
        var line = new ByteArrayOutputStream();
        for (; b >= 0 && b != '\n'; b = in.read()) {
            if (line.size() == longest) {
                throw new IOException(
                        "line %d has more than %,d bytes, which is the limit"
                                .formatted(number, longest));
            }
            line.write(b);
        }
        byte[] bytes = line.toByteArray();
        boolean hasReturn = bytes.length > 0 && bytes[bytes.length - 1] == '\r';
        return Optional.of(hasReturn ? Arrays.copyOf(bytes, bytes.length - 1) : bytes);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
