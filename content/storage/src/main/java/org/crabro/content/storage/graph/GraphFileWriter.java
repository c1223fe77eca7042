package org.crabro.content.storage.graph;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.crabro.content.storage.journal.LogFiles.LogFile;

/** Writes numbers to a file one after another. */
final class GraphFileWriter {
    private static final int BUFFER = 1 << 20;

    private final LogFile file;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER).order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C crc = new CRC32C();
    private long written;

    GraphFileWriter(LogFile file) throws IOException {
        this.file = file;
        putLong(GraphFileLayout.MAGIC);
        putInt(GraphFileLayout.VERSION);
        putInt(0);
        file.write(buffer.flip(), 0);
        written = buffer.limit();
        buffer.clear();
    }

    void putInt(int value) throws IOException {
        reserve(Integer.BYTES);
        buffer.putInt(value);
    }

    void putLong(long value) throws IOException {
        reserve(Long.BYTES);
        buffer.putLong(value);
    }

    private void reserve(int bytes) throws IOException {
        if (buffer.remaining() < bytes) {
            flush();
        }
    }

    private void flush() throws IOException {
        buffer.flip();
        crc.update(buffer.duplicate());
        int count = buffer.remaining();
        file.write(buffer, written);
        written += count;
        buffer.clear();
    }

    /** Writes the checksum, and forces the file. */
    void finish() throws IOException {
        flush();
        buffer.putInt((int) crc.getValue());
        file.write(buffer.flip(), GraphFileLayout.CRC_OFFSET);
        file.force();
    }
}
