package org.crabro.client.cli;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** A file of operations that may be compressed, and how much of it is read. */
final class FeedInput implements AutoCloseable {
    private static final int BUFFER_SIZE = 1 << 16;
    private static final int ZSTD = 0xfd2fb528;

    private final CountedStream counted;
    private final InputStream content;
    private final long size;

    private FeedInput(InputStream in, long size) throws IOException {
        this.counted = new CountedStream(in);
        this.size = size;
        this.content = uncompressed(counted);
    }

    /**
     * Opens a file, compressed with gzip or zstd or not at all; {@code -} is standard input.
     *
     * @throws IOException if it cannot be read
     */
    static FeedInput open(Path file) throws IOException {
        return file.toString().equals("-")
                ? new FeedInput(System.in, -1)
                : new FeedInput(Files.newInputStream(file), Files.size(file));
    }

    private static InputStream uncompressed(InputStream in) throws IOException {
        var buffered = new BufferedInputStream(in, BUFFER_SIZE);
        buffered.mark(4);
        byte[] magic = buffered.readNBytes(4);
        buffered.reset();
        if (magic.length == 4) {
            int number =
                    (magic[0] & 0xff)
                            | (magic[1] & 0xff) << 8
                            | (magic[2] & 0xff) << 16
                            | (magic[3] & 0xff) << 24;
            if ((number & 0xffff) == GZIPInputStream.GZIP_MAGIC) {
                return new GZIPInputStream(buffered, BUFFER_SIZE);
            }
            if (number == ZSTD) {
                return new ZstdInputStream(buffered);
            }
        }
        return buffered;
    }

    /** Returns the uncompressed content. */
    InputStream content() {
        return content;
    }

    /** Returns how much of the file is read, 0 to 1; negative if its size is not known. */
    double fraction() {
        return size <= 0 ? -1 : (double) counted.read / size;
    }

    @Override
    public void close() throws IOException {
        content.close();
    }

    /** Counts the bytes that are read. */
    private static final class CountedStream extends FilterInputStream {
        /** Written by the thread that reads. */
        private volatile long read;

        CountedStream(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int b = in.read();
            count(b < 0 ? 0 : 1);
            return b;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int got = in.read(into, offset, length);
            count(Math.max(0, got));
            return got;
        }

        private void count(int bytes) {
            long before = read;
            read = before + bytes;
        }
    }
}
