package org.crabro.content.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;

/** One file of the journal, and what lies in it now. */
final class Segment implements AutoCloseable {
    private static final String SUFFIX = ".journal";

    /**
     * A new file is filled with zeros so many bytes ahead: writing over bytes that are there is
     * cheaper to force than growing, and small stores stay small.
     */
    private static final int FILL_BYTES = 4 << 20;

    /** Growing by a batch of as many bytes costs less than writing them twice. */
    static final int GROWING_BYTES = 128 << 10;

    private final String path;
    private final LogFiles.LogFile file;
    private final long size;

    /** Bytes that the file has on the device already. */
    private long filled;

    /** The number that its batches carry, -1 while there are none. */
    int number = -1;

    /** Where the next batch goes. */
    long end = SegmentHeader.LENGTH;

    /** Of the last record in it that is needed until it is released. */
    long lastNumber;

    /** Whether such records lie in it, or may. */
    boolean hasRecords = true;

    /** When it was begun or, where nothing in it is needed, released. */
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

    /** Returns whether {@code name} is one that {@link #path} gives. */
    static boolean isName(String name) {
        return name.matches("\\d{1,9}\\" + SUFFIX);
    }

    String path() {
        return path;
    }

    LogFiles.LogFile file() {
        return file;
    }

    /** Returns the bytes the file has when it is full. */
    long size() {
        return size;
    }

    /** Makes the file's header and name durable, before anything relies on them. */
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

    /** Makes a segment of a file that holds nothing. */
    static Segment initialise(
            LogFiles files, String directory, String path, LogFiles.LogFile file, long size)
            throws IOException {
        file.write(new SegmentHeader(size).bytes(), 0);
        file.force();
        files.forceDirectory(directory);
        return new Segment(path, file, size);
    }

    /** Closes the file and deletes it. Its name may come back in a crash: then it is as before. */
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

    /** Writes a batch behind the last. The next force makes it durable. */
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

    /** Writes what the file holds once more, so that the next force makes it durable. */
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
