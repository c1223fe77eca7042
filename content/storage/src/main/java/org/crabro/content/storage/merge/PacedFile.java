package org.crabro.content.storage.merge;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import org.crabro.content.storage.journal.LogFiles.LogFile;

/**
 * A file that is written no faster than the pace allows, and forced as it grows. The force at its
 * end, and concurrent forces of the journal, then have little to do.
 */
public record PacedFile(LogFile file, CompactionPace pace, BooleanSupplier isUrgent)
        implements LogFile {
    private static final long FORCE_BYTES = 32 << 20;

    @Override
    public long size() throws IOException {
        return file.size();
    }

    @Override
    public void write(ByteBuffer bytes, long offset) throws IOException {
        int length = bytes.remaining();
        pace.spend(length, isUrgent.getAsBoolean());
        file.write(bytes, offset);
        if (offset / FORCE_BYTES != (offset + length) / FORCE_BYTES) {
            file.force();
        }
    }

    @Override
    public int read(ByteBuffer into, long offset) throws IOException {
        return file.read(into, offset);
    }

    @Override
    public void force() throws IOException {
        file.force();
    }

    @Override
    public void writeOut(long offset, long length) {
        file.writeOut(offset, length);
    }

    @Override
    public void resize(long size) throws IOException {
        file.resize(size);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
