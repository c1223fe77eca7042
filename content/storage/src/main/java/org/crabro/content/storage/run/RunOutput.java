package org.crabro.content.storage.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.crabro.content.storage.journal.LogFiles.LogFile;

/**
 * Writes the bytes of a run sequentially. Collects them in native memory, from which the system
 * writes them without another copy. For one thread.
 */
final class RunOutput {
    /** The bytes per write: recently copied bytes are still in the processor's caches. */
    private static final int WRITE_SIZE = 256 << 10;

    /** The bytes after which the system is requested to start writing to the device. */
    private static final int WRITE_OUT_SIZE = 1 << 20;

    private final LogFile file;
    private final ByteBuffer collected = ByteBuffer.allocateDirect(WRITE_SIZE);
    private long written;
    private long broughtOut;

    /**
     * @param file empty; the code that opened it closes it
     */
    RunOutput(LogFile file) {
        this.file = file;
    }

    /** Returns the file offset of the next byte. */
    long offset() {
        return written + collected.position();
    }

    void put(ByteBuffer bytes) throws IOException {
        while (bytes.remaining() > collected.remaining()) {
            int count = collected.remaining();
            collected.put(bytes.slice(bytes.position(), count));
            bytes.position(bytes.position() + count);
            write();
        }
        collected.put(bytes);
    }

    /** Puts zeros up to a multiple of {@code alignment}, a power of two. */
    void align(int alignment) throws IOException {
        put(ByteBuffer.allocate((int) (-offset() & (alignment - 1))));
    }

    private void write() throws IOException {
        int count = collected.flip().remaining();
        file.write(collected, written);
        collected.clear();
        written += count;
        if (written - broughtOut >= WRITE_OUT_SIZE) {
            // So that a force of the journal does not wait for all bytes of a run at its end.
            file.writeOut(broughtOut, written - broughtOut);
            broughtOut = written;
        }
    }

    /** Returns when all bytes of the file are on the device. */
    void finish() throws IOException {
        write();
        file.force();
    }
}
