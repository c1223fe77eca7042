package org.crabro.content.storage.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;

/** One file of the journal and the state of its current segment. */
final class Segment implements AutoCloseable {
    private static final String SUFFIX = ".journal";

    /**
     * The number of zero bytes that a new file is filled with ahead of the batches. Overwriting
     * bytes is cheaper to force than growing a file, and small stores stay small.
     */
    private static final int FILL_BYTES = 4 << 20;

    /**
     * If a batch is at least this large, growing the file costs less than writing the bytes twice.
     */
    static final int GROWING_BYTES = 128 << 10;

    private final String path;
    private final LogFiles.LogFile file;
    private final long size;

    /** The file's bytes that are already on the device. */
    private long filled;

    /** The segment number in its batches, -1 if it has none. */
    int number = -1;

    /** The offset of the next batch. */
    long end = SegmentHeader.LENGTH;

    /** The number of the last record in it that is needed until it is released. */
    long lastNumber;

    /** Whether it contains needed records, or may contain them. */
    boolean hasRecords = true;

    /** The time when the segment was begun or, if none of its records is needed, released. */
    Instant since = Instant.MAX;

    Segment(String path, LogFiles.LogFile file, long size) throws IOException {
        this.path = path;
        this.file = file;
        this.size = size;
        this.filled = file.size();
    }

    static String path(String directory, int slot) {
        return directory + "/" + slot + SUFFIX;
    }

    /** Returns whether {@code name} is a file name of {@link #path}. */
    static boolean isName(String name) {
        return name.matches("\\d{1,9}\\" + SUFFIX);
    }

    String path() {
        return path;
    }

    LogFiles.LogFile file() {
        return file;
    }

    /** Returns the size in bytes of the full file. */
    long size() {
        return size;
    }

    /** Creates a file and makes its header and name durable before it is used. */
    static Segment create(LogFiles files, String directory, int slot, long size)
            throws IOException {
        String path = path(directory, slot);
        LogFiles.LogFile file = files.create(path);
        try {
            return initialise(files, directory, path, file, size);
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    /** Makes a segment of a file without content. */
    static Segment initialise(
            LogFiles files, String directory, String path, LogFiles.LogFile file, long size)
            throws IOException {
        file.write(new SegmentHeader(size).bytes(), 0);
        file.force();
        files.forceDirectory(directory);
        return new Segment(path, file, size);
    }

    /**
     * Closes the file and deletes it. After a crash the name may exist again, with the same
     * content.
     */
    void delete(LogFiles files) throws IOException {
        close();
        files.delete(path);
    }

    boolean hasRoom(long bytes) {
        return end + bytes <= size;
    }

    void begin(int newNumber) {
        number = newNumber;
        end = SegmentHeader.LENGTH;
        hasRecords = false;
    }

    /** Writes a batch after the last one. The next force makes it durable. */
    void write(ByteBuffer batch, ByteBuffer zeros) throws IOException {
        int length = batch.remaining();
        if (length < GROWING_BYTES) {
            fill(end + length, zeros);
        }
        file.write(batch, end);
        end += length;
        filled = Math.max(filled, end);
    }

    private void fill(long needed, ByteBuffer zeros) throws IOException {
        if (needed <= filled) {
            return;
        }
        long target = Math.min(size, needed + FILL_BYTES);
        while (filled < target) {
            ByteBuffer part = zeros.duplicate();
            part.limit((int) Math.min(part.limit(), target - filled));
            int length = part.remaining();
            file.write(part, filled);
            filled += length;
        }
    }

    /** Writes existing bytes of the file again, so that the next force makes them durable. */
    void writeAgain(long from, long to) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(Math.toIntExact(to - from));
        file.read(bytes, from);
        file.write(bytes.flip(), from);
    }

    void force() throws IOException {
        file.force();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
