package org.crabro.content.storage.replica;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.crabro.content.storage.journal.LogFiles;

/**
 * What a replica has in place of the forgotten entries of its log, durably. Ratis calls that a
 * snapshot.
 *
 * <p>Two files are written alternately, so that one of them is intact after a crash.
 *
 * <pre>
 *   0          8         12       16    20     28      36
 *   +----------+---------+--------+-----+------+-------+-------+
 *   | CRABSHRD | version | length | crc | term | index | bytes |
 *   +----------+---------+--------+-----+------+-------+-------+
 * </pre>
 *
 * <p>Little-endian; {@code crc} is the crc-32c of term, index and the {@code length} bytes.
 */
public final class ShardRecord {
    /** In the data directory. */
    static final String DIRECTORY = "shards";

    private static final String REMOVED = ".removed";
    private static final long MAGIC = 0x44524853_42415243L;
    private static final int VERSION = 1;
    private static final int VERSION_OFFSET = 8;
    private static final int LENGTH_OFFSET = 12;
    private static final int CRC_OFFSET = 16;
    private static final int TERM_OFFSET = 20;
    private static final int INDEX_OFFSET = 28;
    private static final int BYTES_OFFSET = 36;

    private final LogFiles files;
    private final List<String> paths;

    // Guarded by this.
    private Optional<Content> content = Optional.empty();

    /** The file that is written next; the other one is durable. */
    private int next;

    /**
     * The last entry that is forgotten, and what the journal stores for it.
     *
     * @param bytes not to be changed, the only element
     */
    public record Content(long term, long index, List<byte[]> bytes) {
        public Content {
            bytes = List.copyOf(bytes);
        }

        public static Content of(long term, long index, byte[] bytes) {
            return new Content(term, index, List.of(bytes));
        }
    }

    private ShardRecord(LogFiles files, String name) {
        this.files = files;
        this.paths = List.of(DIRECTORY + "/" + name + ".1", DIRECTORY + "/" + name + ".2");
    }

    /**
     * Reads the record of a shard.
     *
     * @param name of its files
     * @throws IOException if both files are damaged, or have another version
     */
    public static ShardRecord open(LogFiles files, String name) throws IOException {
        var opened = new ShardRecord(files, name);
        synchronized (opened) {
            opened.readFiles();
        }
        return opened;
    }

    private void readFiles() throws IOException {
        List<String> names = files.list(DIRECTORY);
        List<String> damaged = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            String path = paths.get(i);
            if (!names.contains(path.substring(DIRECTORY.length() + 1))) {
                continue;
            }
            Optional<Content> stored = read(path);
            if (stored.isEmpty()) {
                damaged.add(path);
            } else if (content.isEmpty() || content.get().index() < stored.get().index()) {
                content = stored;
                next = 1 - i;
            }
        }
        if (damaged.size() == paths.size()) {
            throw new IOException(
                    "%s at byte 0: expected the record of a shard, found other bytes in both files"
                            .formatted(String.join(" and ", damaged)));
        }
        if (content.isPresent()) {
            // It may be visible and not on the device.
            try (LogFiles.LogFile file = files.open(paths.get(1 - next))) {
                file.force();
            }
            files.forceDirectory(DIRECTORY);
        }
    }

    private Optional<Content> read(String path) throws IOException {
        ByteBuffer bytes;
        try (LogFiles.LogFile file = files.open(path)) {
            bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
            file.read(bytes, 0);
        }
        bytes.flip().order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.remaining() < BYTES_OFFSET
                || bytes.getLong(0) != MAGIC
                || bytes.getInt(LENGTH_OFFSET) != bytes.remaining() - BYTES_OFFSET
                || bytes.getInt(CRC_OFFSET) != checksum(bytes)) {
            return Optional.empty();
        }
        if (bytes.getInt(VERSION_OFFSET) != VERSION) {
            throw new IOException(
                    "%s is of version %d, expected %d"
                            .formatted(path, bytes.getInt(VERSION_OFFSET), VERSION));
        }
        var stored = new byte[bytes.getInt(LENGTH_OFFSET)];
        bytes.get(BYTES_OFFSET, stored);
        return Optional.of(
                Content.of(bytes.getLong(TERM_OFFSET), bytes.getLong(INDEX_OFFSET), stored));
    }

    private static int checksum(ByteBuffer bytes) {
        var crc = new CRC32C();
        crc.update(bytes.slice(TERM_OFFSET, bytes.limit() - TERM_OFFSET));
        return (int) crc.getValue();
    }

    /**
     * Returns whether the replica was removed from this data directory. It is not to be created
     * again without copies of another one: it may have voted before.
     */
    public static boolean isRemoved(LogFiles files, String name) throws IOException {
        return files.list(DIRECTORY).contains(name + REMOVED);
    }

    /** Notes that the replica was removed, and deletes its record; durable when this returns. */
    static void remove(LogFiles files, String name) throws IOException {
        if (!isRemoved(files, name)) {
            try (LogFiles.LogFile file = files.create(DIRECTORY + "/" + name + REMOVED)) {
                file.force();
            }
            files.forceDirectory(DIRECTORY);
        }
        for (String path : open(files, name).paths) {
            files.delete(path);
        }
        files.forceDirectory(DIRECTORY);
    }

    /** Notes that the replica is in this data directory again; its record was written. */
    static void restore(LogFiles files, String name) throws IOException {
        if (isRemoved(files, name)) {
            files.delete(DIRECTORY + "/" + name + REMOVED);
            files.forceDirectory(DIRECTORY);
        }
    }

    /** Returns what was written last. */
    public synchronized Optional<Content> content() {
        return content;
    }

    /** Writes a record durably, unless the existing one is of the same or a later entry. */
    public synchronized void write(Content later) throws IOException {
        if (content.isPresent() && content.get().index() >= later.index()) {
            return;
        }
        byte[] stored = later.bytes().getFirst();
        ByteBuffer bytes = ByteBuffer.allocate(BYTES_OFFSET + stored.length);
        bytes.order(ByteOrder.LITTLE_ENDIAN)
                .putLong(MAGIC)
                .putInt(VERSION)
                .putInt(stored.length)
                .putInt(0)
                .putLong(later.term())
                .putLong(later.index())
                .put(stored)
                .flip();
        bytes.putInt(CRC_OFFSET, checksum(bytes));
        String path = paths.get(next);
        files.delete(path);
        try (LogFiles.LogFile file = files.create(path)) {
            file.write(bytes, 0);
            file.force();
        }
        files.forceDirectory(DIRECTORY);
        content = Optional.of(later);
        next = 1 - next;
    }
}
