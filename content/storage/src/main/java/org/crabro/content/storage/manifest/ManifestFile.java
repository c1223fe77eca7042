package org.crabro.content.storage.manifest;

import static org.crabro.content.storage.layout.BlockLayout.INT;
import static org.crabro.content.storage.layout.BlockLayout.LONG;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.LogFiles.LogFile;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.BlockLayout;

/**
 * One copy of a manifest: edits, appended and forced one by one.
 *
 * <p>For one thread.
 */
final class ManifestFile implements AutoCloseable {
    private final String path;
    private final LogFile file;
    private final Contents contents;
    private long end;

    /** Bytes that were read and may not be on the device, until the next append. */
    private Optional<ByteBuffer> seen = Optional.empty();

    private boolean isClosed;

    /**
     * The contents of the file when it was opened or created.
     *
     * @param state after the last edit before the first bad one
     * @param end of that edit, or of the header, in bytes from the start of the file
     * @param highestNumber of all edits in the file, also of those after a bad one; 0 without edits
     * @param isUnborn whether the file had a name, but no durable contents
     */
    private record Contents(
            ManifestState state,
            long end,
            long highestNumber,
            Optional<CorruptRunException> damage,
            boolean isUnborn) {
        static Contents whole(ManifestState state, long end, long highestNumber) {
            return new Contents(state, end, highestNumber, Optional.empty(), false);
        }
    }

    private ManifestFile(String path, LogFile file, Contents contents) {
        this.path = path;
        this.file = file;
        this.contents = contents;
        this.end = contents.end;
    }

    /** Makes a file with {@code state}, and returns when it is durable, except for its name. */
    static ManifestFile create(LogFiles files, String path, ManifestState state)
            throws IOException {
        LogFile file = files.create(path);
        boolean isMade = false;
        try {
            BlockBytes bytes = ManifestLayout.header();
            if (state.editCount() > 0) {
                bytes.put(ManifestLayout.encode(state).written());
            }
            file.write(bytes.written(), 0);
            file.force();
            isMade = true;
            return new ManifestFile(
                    path, file, Contents.whole(state, bytes.position(), state.editCount()));
        } finally {
            if (!isMade) {
                file.close();
            }
        }
    }

    /**
     * Reads a file up to the first edit that is incomplete or out of sequence.
     *
     * @throws CorruptRunException if it has a version that this program cannot read
     */
    static ManifestFile open(LogFiles files, String path) throws IOException {
        LogFile file = files.open(path);
        boolean isOpen = false;
        try {
            ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(file.size()));
            int count = file.read(buffer, 0);
            Contents contents = read(path, MemorySegment.ofBuffer(buffer.flip().limit(count)));
            var read = new ManifestFile(path, file, contents);
            read.seen = Optional.of(buffer.limit((int) read.end));
            isOpen = true;
            return read;
        } finally {
            if (!isOpen) {
                file.close();
            }
        }
    }

    private static Contents read(String path, MemorySegment bytes) {
        ManifestState state = ManifestState.EMPTY;
        long highest = highestNumber(bytes);
        Optional<String> problem = problemOfHeader(path, bytes);
        if (problem.isPresent()) {
            boolean isUnborn = highest == 0 && bytes.byteSize() <= ManifestLayout.HEADER_SIZE;
            var damage = new CorruptRunException(path, 0, "a header", problem.get());
            return new Contents(state, 0, highest, Optional.of(damage), isUnborn);
        }
        long at = ManifestLayout.HEADER_SIZE;
        while (at < bytes.byteSize()) {
            Optional<MemorySegment> edit = ManifestLayout.edit(bytes, at);
            if (edit.isEmpty() || !follows(edit.get(), state, at)) {
                var damage =
                        new CorruptRunException(
                                path,
                                at,
                                "edit " + (state.editCount() + 1),
                                "other bytes, and edits up to " + highest);
                return new Contents(state, at, highest, Optional.of(damage), false);
            }
            state = after(path, at, state, edit.get());
            at += edit.get().byteSize();
        }
        return Contents.whole(state, at, highest);
    }

    private static boolean follows(MemorySegment edit, ManifestState state, long at) {
        return ManifestLayout.isWhole(edit)
                ? at == ManifestLayout.HEADER_SIZE
                : ManifestLayout.number(edit) == state.editCount() + 1;
    }

    private static ManifestState after(
            String path, long offset, ManifestState state, MemorySegment edit) {
        try {
            ManifestEdit decoded = ManifestLayout.decode(edit);
            return ManifestLayout.isWhole(edit)
                    ? ManifestState.ofWhole(decoded, ManifestLayout.number(edit))
                    : state.after(decoded);
        } catch (IllegalArgumentException e) {
            throw new CorruptRunException(
                    path,
                    offset,
                    "an edit that follows from the others",
                    String.valueOf(e.getMessage()));
        }
    }

    /** Returns the error in the header; throws if a newer program wrote it. */
    private static Optional<String> problemOfHeader(String path, MemorySegment bytes) {
        if (bytes.byteSize() < ManifestLayout.HEADER_SIZE) {
            return Optional.of(bytes.byteSize() + " bytes");
        }
        int expected = bytes.get(INT, ManifestLayout.HEADER_CRC_OFFSET);
        int crc = BlockLayout.crc(bytes.asSlice(0, ManifestLayout.HEADER_CRC_OFFSET));
        if (bytes.get(LONG, 0) != ManifestLayout.MAGIC || crc != expected) {
            return Optional.of("magic %016x, crc %08x".formatted(bytes.get(LONG, 0), expected));
        }
        int version = bytes.get(INT, ManifestLayout.VERSION_OFFSET);
        if (version != ManifestLayout.VERSION) {
            throw new CorruptRunException(
                    path,
                    ManifestLayout.VERSION_OFFSET,
                    "manifest format version " + ManifestLayout.VERSION,
                    "version " + version);
        }
        return Optional.empty();
    }

    /** Returns the highest number of a complete edit anywhere in the bytes. */
    private static long highestNumber(MemorySegment bytes) {
        long highest = 0;
        for (long at = ManifestLayout.HEADER_SIZE;
                at < bytes.byteSize();
                at += ManifestLayout.EDIT_ALIGNMENT) {
            Optional<MemorySegment> edit = ManifestLayout.edit(bytes, at);
            if (edit.isPresent()) {
                highest = Math.max(highest, ManifestLayout.number(edit.get()));
            }
        }
        return highest;
    }

    String path() {
        return path;
    }

    /** Returns the result of the edits up to the first bad one when the file was opened. */
    ManifestState storedState() {
        return contents.state;
    }

    /** Returns the highest number of an edit in the file, also after a bad one. */
    long highestNumber() {
        return contents.highestNumber;
    }

    /** Returns the damage, or the tail of a write that was cut off. */
    Optional<CorruptRunException> damage() {
        return contents.damage;
    }

    /** Returns whether the file has exactly {@code editCount} edits, and no other bytes. */
    boolean isWhole(long editCount) {
        return contents.damage.isEmpty() && contents.state.editCount() == editCount;
    }

    /** Returns whether the file has a name, but no durable bytes yet. */
    boolean isUnborn() {
        return contents.isUnborn;
    }

    /** Returns the size of the header and of all complete edits, in bytes. */
    long end() {
        return end;
    }

    /**
     * Appends bytes and returns when they are durable. The first call also writes the bytes of an
     * earlier process again. The force of that process may have failed, and a system then shows
     * bytes that it never writes to the device.
     */
    void append(ByteBuffer bytes) throws IOException {
        int length = bytes.remaining();
        if (seen.isPresent()) {
            file.write(seen.get().duplicate(), 0);
        }
        file.write(bytes, end);
        file.force();
        seen = Optional.empty();
        end += length;
    }

    /** A second call does nothing. */
    @Override
    public void close() throws IOException {
        if (!isClosed) {
            isClosed = true;
            file.close();
        }
    }
}
