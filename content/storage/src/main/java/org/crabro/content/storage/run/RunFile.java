package org.crabro.content.storage.run;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.RunBytes;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.LogFiles.LogFile;

/**
 * A run's file for a check. Its metadata is read through a mapping; blocks are read from the device
 * into a buffer, so that the check evicts no cached pages. For one thread.
 *
 * <p>The file may be deleted meanwhile.
 */
public final class RunFile implements AutoCloseable {
    /** The bytes per read; larger blocks are read whole. */
    private static final int STEP = 1 << 20;

    private static final int ALIGNMENT = 4_096;

    private final String path;
    private final Arena arena;
    private final LogFile device;
    private final MemorySegment mapping;
    private final RunReader reader;
    private final List<RunSection> sections;

    private MemorySegment buffer = MemorySegment.NULL;
    private Arena bufferArena = Arena.ofConfined();
    private long bufferStart;
    private long bufferEnd;
    private long bytesRead;

    private RunFile(
            String path,
            Arena arena,
            LogFile device,
            MemorySegment mapping,
            RunReader reader,
            List<RunSection> sections) {
        this.path = path;
        this.arena = arena;
        this.device = device;
        this.mapping = mapping;
        this.reader = reader;
        this.sections = sections;
    }

    /**
     * Opens the run {@code number}.
     *
     * @throws java.nio.file.NoSuchFileException if it does not exist, perhaps not any more
     * @throws CorruptRunException if its metadata is damaged, or cannot be read
     */
    public static RunFile open(LogFiles files, String path, long number, StoredTypes types)
            throws IOException {
        Arena arena = Arena.ofConfined();
        LogFile device = null;
        boolean isOpen = false;
        try {
            device = files.openOnDevice(path);
            MemorySegment mapping = files.map(path, arena);
            var reader = new RunReader(new RunBytes(path, mapping, files.residency()), number);
            var run =
                    new RunFile(
                            path, arena, device, mapping, reader, reader.sections(types, arena));
            isOpen = true;
            return run;
        } catch (InternalError e) {
            throw unreadable(path, e);
        } finally {
            if (!isOpen) {
                arena.close();
                if (device != null) {
                    device.close();
                }
            }
        }
    }

    /**
     * Returns the exception for a mapped page that cannot be read; the access throws {@link
     * InternalError}.
     */
    public static CorruptRunException unreadable(String path, Throwable e) {
        return new CorruptRunException(
                path, 0, "bytes that can be read", String.valueOf(e.getMessage()));
    }

    public String path() {
        return path;
    }

    /** Returns the length of the file in bytes. */
    public long byteCount() {
        return mapping.byteSize();
    }

    /** Returns the number of bytes read from the device. */
    public long bytesRead() {
        return bytesRead;
    }

    public RunReader reader() {
        return reader;
    }

    /** Returns the sections of the run, one per type. */
    public List<RunSection> sections() {
        return sections;
    }

    /** Returns bytes of the mapping. */
    public MemorySegment mapped(long offset, long length) {
        return mapping.asSlice(offset, length);
    }

    /**
     * Returns bytes of the file read from the device; valid until the next call.
     *
     * @throws CorruptRunException if they cannot be read
     */
    public MemorySegment onDevice(long offset, int length) {
        if (offset < bufferStart || offset + length > bufferEnd) {
            fill(offset, length);
        }
        return buffer.asSlice(offset - bufferStart, length);
    }

    private void fill(long offset, int length) {
        long start = offset & -ALIGNMENT;
        int wanted =
                (int) Math.min(mapping.byteSize() - start, Math.max(STEP, offset - start + length));
        if (buffer.byteSize() < wanted) {
            bufferArena.close();
            bufferArena = Arena.ofConfined();
            buffer = bufferArena.allocate(wanted, ALIGNMENT);
        }
        ByteBuffer into = buffer.asByteBuffer().limit(wanted);
        int count;
        try {
            count = device.read(into, start);
        } catch (IOException e) {
            throw new CorruptRunException(
                    path,
                    start,
                    "%d bytes that can be read".formatted(wanted),
                    String.valueOf(e.getMessage()));
        }
        bytesRead += count;
        if (count < wanted) {
            throw new CorruptRunException(
                    path,
                    start + count,
                    "a file of %d bytes".formatted(mapping.byteSize()),
                    "its end");
        }
        bufferStart = start;
        bufferEnd = start + wanted;
    }

    @Override
    public void close() throws IOException {
        bufferArena.close();
        arena.close();
        device.close();
    }
}
