package org.crabro.content.storage.index;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.LogFiles.LogFile;

/** The mapped file of an index, read-only, as Lucene reads it. See {@link IndexFileLayout}. */
final class IndexFile extends Directory {
    /** The bytes that are copied or checked at a time. */
    private static final int STEP = 1 << 20;

    private final String path;
    private final Arena arena;
    private final MemorySegment bytes;
    private final Map<String, MemorySegment> parts = new TreeMap<>();

    private IndexFile(String path, Arena arena, MemorySegment bytes) throws IOException {
        this.path = path;
        this.arena = arena;
        this.bytes = bytes;
        check();
        int count = bytes.get(IndexFileLayout.INT, IndexFileLayout.COUNT_OFFSET);
        long at = IndexFileLayout.NAMES_OFFSET;
        var lengths = new long[count];
        var names = new String[count];
        for (int i = 0; i < count; i++) {
            var name = new byte[bytes.get(ValueLayout.JAVA_BYTE, at)];
            MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at + 1, name, 0, name.length);
            names[i] = new String(name, StandardCharsets.US_ASCII);
            lengths[i] = bytes.get(IndexFileLayout.LONG, at + 1 + name.length);
            at += 1 + name.length + Long.BYTES;
        }
        for (int i = 0; i < count; i++) {
            at = IndexFileLayout.align(at);
            parts.put(names[i], bytes.asSlice(at, lengths[i]));
            at += lengths[i];
        }
    }

    private void check() throws IOException {
        if (bytes.byteSize() < IndexFileLayout.NAMES_OFFSET
                || bytes.get(IndexFileLayout.LONG, 0) != IndexFileLayout.MAGIC) {
            throw new IOException(path + " at byte 0: expected an index");
        }
        int version = bytes.get(IndexFileLayout.INT, IndexFileLayout.VERSION_OFFSET);
        if (version != IndexFileLayout.VERSION) {
            throw new IOException(
                    "%s is an index of version %d, expected %d"
                            .formatted(path, version, IndexFileLayout.VERSION));
        }
        var crc = new CRC32C();
        for (long at = IndexFileLayout.COUNT_OFFSET; at < bytes.byteSize(); at += STEP) {
            long count = Math.min(STEP, bytes.byteSize() - at);
            crc.update(bytes.asSlice(at, count).asByteBuffer());
        }
        int expected = bytes.get(IndexFileLayout.INT, IndexFileLayout.CRC_OFFSET);
        if ((int) crc.getValue() != expected) {
            throw new IOException(
                    "%s at byte %d: expected crc %08x, found %08x"
                            .formatted(
                                    path,
                                    IndexFileLayout.COUNT_OFFSET,
                                    expected,
                                    (int) crc.getValue()));
        }
    }

    /**
     * Maps a file and reads all of it once.
     *
     * @throws IOException if it is damaged, or of another version
     */
    static IndexFile open(LogFiles files, String path) throws IOException {
        Arena arena = Arena.ofShared();
        boolean isOpen = false;
        try {
            var opened = new IndexFile(path, arena, files.map(path, arena));
            isOpen = true;
            return opened;
        } catch (InternalError | IndexOutOfBoundsException e) {
            throw new IOException(path + " cannot be read: " + e.getMessage(), e);
        } finally {
            if (!isOpen) {
                arena.close();
            }
        }
    }

    /** Copies the files of a finished build into one file, and forces it. */
    static void write(LogFiles files, String path, BuildDirectory from) throws IOException {
        try (LogFile file = files.create(path)) {
            String[] names = from.listAll();
            int size = IndexFileLayout.NAMES_OFFSET;
            for (String name : names) {
                size += 1 + name.length() + Long.BYTES;
            }
            ByteBuffer header = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
            header.putLong(IndexFileLayout.MAGIC)
                    .putInt(IndexFileLayout.VERSION)
                    .putInt(0)
                    .putInt(names.length);
            for (String name : names) {
                header.put((byte) name.length())
                        .put(name.getBytes(StandardCharsets.US_ASCII))
                        .putLong(from.fileLength(name));
            }
            var crc = new CRC32C();
            crc.update(header.flip().slice(IndexFileLayout.COUNT_OFFSET, size - 16));
            long at = size;
            for (String name : names) {
                long start = IndexFileLayout.align(at);
                crc.update(new byte[(int) (start - at)]);
                at = start + copy(from.bytes(name), file, start, crc);
            }
            header.putInt(IndexFileLayout.CRC_OFFSET, (int) crc.getValue());
            file.write(header, 0);
            file.force();
        }
    }

    private static long copy(MemorySegment part, LogFile into, long start, CRC32C crc)
            throws IOException {
        for (long at = 0; at < part.byteSize(); at += STEP) {
            MemorySegment step = part.asSlice(at, Math.min(STEP, part.byteSize() - at));
            crc.update(step.asByteBuffer());
            into.write(step.asByteBuffer(), start + at);
        }
        return part.byteSize();
    }

    /** Returns the length of the file in bytes. */
    long byteCount() {
        return bytes.byteSize();
    }

    private MemorySegment part(String name) throws IOException {
        MemorySegment part = parts.get(name);
        if (part == null) {
            throw new NoSuchFileException(path + ": " + name);
        }
        return part;
    }

    @Override
    public String[] listAll() {
        return parts.keySet().toArray(String[]::new);
    }

    @Override
    public long fileLength(String name) throws IOException {
        return part(name).byteSize();
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
        return new MappedInput(path + ": " + name, part(name));
    }

    @Override
    public void deleteFile(String name) {
        throw readOnly();
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) {
        throw readOnly();
    }

    @Override
    public IndexOutput createTempOutput(String start, String end, IOContext context) {
        throw readOnly();
    }

    @Override
    public void sync(Collection<String> names) {
        throw readOnly();
    }

    @Override
    public void syncMetaData() {
        throw readOnly();
    }

    @Override
    public void rename(String from, String to) {
        throw readOnly();
    }

    @Override
    public Lock obtainLock(String name) {
        throw readOnly();
    }

    private UnsupportedOperationException readOnly() {
        return new UnsupportedOperationException(path + " is read-only");
    }

    @Override
    public Set<String> getPendingDeletions() {
        return Set.of();
    }

    @Override
    public void close() {
        arena.close();
    }
}
