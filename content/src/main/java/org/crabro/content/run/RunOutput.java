package org.crabro.content.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.crabro.content.journal.LogFiles.LogFile;

/**
 * Where the bytes of a run go: they are collected in native memory, from which the system takes
 * them without another copy, and written front to back. For one thread.
 */
final class RunOutput {
    /** What is collected for one write: what was copied last is in the processor's caches then. */
    private static final int WRITE_SIZE = 256 << 10;

    /** What the system is told at once to bring to the device. */
    private static final int WRITE_OUT_SIZE = 1 << 20;

    private final LogFile file;
    private final ByteBuffer collected = ByteBuffer.allocateDirect(WRITE_SIZE);
    private long written;
    private long broughtOut;

    /**
     * @param file empty; whoever opened it closes it
     */
    RunOutput(LogFile file) {
        this.file = file;
    }

    /** Returns where in the file the next byte goes. */
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
            // So that forces of the journal do not stand behind all of a run at its end.
            file.writeOut(broughtOut, written - broughtOut);
            broughtOut = written;
        }
    }

    /** Returns when all of the file is on the device. */
    void finish() throws IOException {
        write();
        file.force();
    }
}
