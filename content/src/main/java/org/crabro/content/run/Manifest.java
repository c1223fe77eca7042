package org.crabro.content.run;

import static org.crabro.content.run.BlockLayout.INT;
import static org.crabro.content.run.BlockLayout.LONG;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import org.crabro.content.journal.LogFiles;
import org.crabro.content.journal.LogFiles.LogFile;

/**
 * The file that says which runs are a partition's log: edits, appended and forced one by one. A run
 * that it does not name is not there, whatever the directory holds.
 *
 * <p>For one thread.
 */
final class Manifest implements AutoCloseable {
    private static final String NAME = "manifest";

    private final String path;
    private final LogFile file;
    private ManifestState state;
    private long end;
    private boolean isBroken;

    private Manifest(String path, LogFile file, ManifestState state, long end) {
        this.path = path;
        this.file = file;
        this.state = state;
        this.end = end;
    }

    /**
     * Opens the manifest of a partition, and makes an empty one where there is none. The tail of an
     * edit that was cut off, which nobody was told of, is cut away.
     *
     * @throws CorruptRunException if an edit is damaged that another follows, or the file is no
     *     manifest of a version that this program reads
     */
    static Manifest open(LogFiles files, String directory) throws IOException {
        String path = directory + "/" + NAME;
        LogFile file;
        try {
            file = files.open(path);
        } catch (NoSuchFileException _) {
            file = files.create(path);
        }
        boolean isOpen = false;
        try {
            Manifest manifest = read(path, file);
            files.forceDirectory(directory);
            isOpen = true;
            return manifest;
        } finally {
            if (!isOpen) {
                file.close();
            }
        }
    }

    private static Manifest read(String path, LogFile file) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(file.size()));
        int count = file.read(buffer, 0);
        MemorySegment bytes = MemorySegment.ofBuffer(buffer.flip().limit(count));
        if (isUnborn(bytes)) {
            file.resize(0);
            file.write(ManifestLayout.header().written(), 0);
            file.force();
            return new Manifest(path, file, ManifestState.EMPTY, ManifestLayout.HEADER_SIZE);
        }
        checkHeader(path, bytes);
        ManifestState state = ManifestState.EMPTY;
        long at = ManifestLayout.HEADER_SIZE;
        while (at < bytes.byteSize()) {
            Optional<MemorySegment> edit = ManifestLayout.edit(bytes, at);
            if (edit.isEmpty() || ManifestLayout.number(edit.get()) != state.editCount() + 1) {
                checkNothingFollows(path, bytes, at, state.editCount());
                file.resize(at);
                file.force();
                break;
            }
            state = after(path, at, state, ManifestLayout.decode(edit.get()));
            at += edit.get().byteSize();
        }
        return new Manifest(path, file, state, at);
    }

    /** A crash before the header was forced leaves nothing, a part of it, or zeros. */
    private static boolean isUnborn(MemorySegment bytes) {
        if (bytes.byteSize() < ManifestLayout.HEADER_SIZE) {
            return true;
        }
        boolean isZero = bytes.get(LONG, 0) == 0 && bytes.get(LONG, 8) == 0;
        return isZero && bytes.byteSize() == ManifestLayout.HEADER_SIZE;
    }

    private static void checkHeader(String path, MemorySegment bytes) {
        long magic = bytes.get(LONG, 0);
        if (magic != ManifestLayout.MAGIC) {
            throw new CorruptRunException(
                    path,
                    0,
                    "magic %016x".formatted(ManifestLayout.MAGIC),
                    "%016x".formatted(magic));
        }
        int version = bytes.get(INT, ManifestLayout.VERSION_OFFSET);
        if (version != ManifestLayout.VERSION) {
            throw new CorruptRunException(
                    path,
                    ManifestLayout.VERSION_OFFSET,
                    "manifest format version " + ManifestLayout.VERSION,
                    "version " + version);
        }
        int expected = bytes.get(INT, ManifestLayout.HEADER_CRC_OFFSET);
        int found = BlockLayout.crc(bytes.asSlice(0, ManifestLayout.HEADER_CRC_OFFSET));
        if (expected != found) {
            throw new CorruptRunException(
                    path, 0, "header of crc %08x".formatted(expected), "%08x".formatted(found));
        }
    }

    private static void checkNothingFollows(
            String path, MemorySegment bytes, long bad, long lastNumber) {
        long step = ManifestLayout.EDIT_ALIGNMENT;
        for (long at = bad; at < bytes.byteSize(); at += step) {
            Optional<MemorySegment> edit = ManifestLayout.edit(bytes, at);
            if (edit.isPresent() && ManifestLayout.number(edit.get()) > lastNumber) {
                throw new CorruptRunException(
                        path,
                        bad,
                        "edit " + (lastNumber + 1),
                        "damaged bytes before edit " + ManifestLayout.number(edit.get()));
            }
        }
    }

    private static ManifestState after(
            String path, long offset, ManifestState state, ManifestEdit edit) {
        try {
            return state.after(edit);
        } catch (IllegalArgumentException e) {
            throw new CorruptRunException(
                    path,
                    offset,
                    "an edit that follows from the others",
                    String.valueOf(e.getMessage()));
        }
    }

    /** Returns what all edits add up to. */
    ManifestState state() {
        return state;
    }

    /** Returns the path of the file, in the data directory. */
    String path() {
        return path;
    }

    /**
     * Checks that an edit can be appended: to be asked before a run is written for nothing.
     *
     * @throws IOException if an earlier edit could not be forced
     */
    void checkAppendable() throws IOException {
        if (isBroken) {
            throw new IOException(path + " could not be forced before; it is to be opened anew");
        }
    }

    /**
     * Appends an edit and returns when it is durable. After a failure the edit may be durable or
     * not: what it names is to be kept until the manifest was opened anew.
     *
     * @throws IOException also when an earlier edit could not be forced: then nothing that follows
     *     is known to be kept
     */
    void append(ManifestEdit edit) throws IOException {
        checkAppendable();
        ManifestState next = state.after(edit);
        ByteBuffer bytes = ManifestLayout.encode(edit, next.editCount()).written();
        int length = bytes.remaining();
        isBroken = true;
        file.write(bytes, end);
        file.force();
        isBroken = false;
        end += length;
        state = next;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
