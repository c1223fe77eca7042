package org.crabro.client.spool;

import java.io.IOException;
import java.nio.file.Path;
import net.openhft.chronicle.bytes.MappedBytes;

/** The bytes of a file in memory: what is written there survives the process. Not thread-safe. */
final class SpoolMapping implements AutoCloseable {
    private final MappedBytes bytes;

    private SpoolMapping(MappedBytes bytes) {
        this.bytes = bytes;
    }

    /**
     * Maps a file.
     *
     * @param size of the file; all of its blocks exist, so that no write finds a full disk
     */
    static SpoolMapping of(Path file, long size) throws IOException {
        MappedBytes bytes = MappedBytes.singleMappedBytes(file.toFile(), size);
        // The spool has a lock; threads take turns.
        bytes.singleThreadedCheckDisabled(true);
        bytes.readLimitToCapacity();
        return new SpoolMapping(bytes);
    }

    int getInt(long offset) {
        return bytes.readVolatileInt(offset);
    }

    byte[] get(long offset, int length) {
        var content = new byte[length];
        bytes.read(offset, content, 0, length);
        return content;
    }

    void putInt(long offset, int value) {
        bytes.writeInt(offset, value);
    }

    /** Writes a number after everything that was written before. */
    void publishInt(long offset, int value) {
        bytes.writeOrderedInt(offset, value);
    }

    void put(long offset, byte[] content) {
        bytes.write(offset, content, 0, content.length);
    }

    @Override
    public void close() {
        bytes.releaseLast();
    }
}
