package org.crabro.document.json;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Remembers whether reading failed. The parser takes a zero among the first four bytes for UTF-16
 * or UTF-32, and reports text that is not in that encoding in the same way as a stream that fails.
 */
final class WatchedStream extends FilterInputStream {
    private boolean hasFailed;

    WatchedStream(InputStream in) {
        super(in);
    }

    boolean hasFailed() {
        return hasFailed;
    }

    @Override
    public int read() throws IOException {
        try {
            return in.read();
        } catch (IOException e) {
            hasFailed = true;
            throw e;
        }
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        try {
            return in.read(into, offset, length);
        } catch (IOException e) {
            hasFailed = true;
            throw e;
        }
    }
}
