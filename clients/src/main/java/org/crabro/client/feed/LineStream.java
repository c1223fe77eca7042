package org.crabro.client.feed;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Lines as a stream of bytes, made while it is read. Not thread-safe. */
public final class LineStream extends InputStream {
    private final Lines lines;
    private byte[] line = {};
    private int next;

    /** The source of lines. */
    public interface Lines extends AutoCloseable {
        /** Returns the next line with its end; empty after the last. */
        Optional<byte[]> next() throws IOException;

        @Override
        void close() throws IOException;
    }

    /**
     * @param lines closed with the stream
     */
    public LineStream(Lines lines) {
        this.lines = lines;
    }

    @Override
    public int read() throws IOException {
        return fill() ? line[next++] & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int count = Math.min(length, line.length - next);
        System.arraycopy(line, next, into, offset, count);
        next += count;
        return count;
    }

    /** Takes the next line if the last one is consumed, and returns whether there is one. */
    private boolean fill() throws IOException {
        while (next == line.length) {
            Optional<byte[]> taken = lines.next();
            if (taken.isEmpty()) {
                return false;
            }
            line = taken.get();
            next = 0;
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
