package org.crabro.content.storage.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Files in memory that live as long as this object: for stores whose documents need not survive the
 * process, and for tests. Forcing does nothing, and a mapping is a copy of the file's bytes.
 */
public final class MemoryLogFiles implements LogFiles {
    private final Map<String, Content> files = new ConcurrentHashMap<>();

    @Override
    public LogFile create(String path) throws IOException {
        var content = new Content();
        if (files.putIfAbsent(path, content) != null) {
            throw new FileAlreadyExistsException(path);
        }
        return new MemoryFile(content);
    }

    @Override
    public LogFile open(String path) throws IOException {
        return new MemoryFile(existing(path));
    }

    @Override
    public List<String> list(String directory) {
        String prefix = directory.isEmpty() ? "" : directory + "/";
        return files.keySet().stream()
                .filter(path -> path.startsWith(prefix))
                .map(path -> path.substring(prefix.length()).split("/", 2)[0])
                .distinct()
                .sorted()
                .toList();
    }

    @Override
    public void delete(String path) {
        files.remove(path);
    }

    @Override
    public void move(String path, String newPath) throws IOException {
        if (files.putIfAbsent(newPath, existing(path)) != null) {
            throw new FileAlreadyExistsException(newPath);
        }
        files.remove(path);
    }

    @Override
    public void forceDirectory(String directory) {}

    @Override
    public MemorySegment map(String path, Arena arena) throws IOException {
        return existing(path).copy(arena).asReadOnly();
    }

    /**
     * Returns the largest heap less the bytes of these files. Other use of the heap is not
     * subtracted, because the runtime does not tell garbage from objects in use.
     */
    @Override
    public long freeBytes() {
        long used = files.values().stream().mapToLong(Content::size).sum();
        return Runtime.getRuntime().maxMemory() - used;
    }

    private Content existing(String path) throws NoSuchFileException {
        Content content = files.get(path);
        if (content == null) {
            throw new NoSuchFileException(path);
        }
        return content;
    }

    /** The bytes of a file. An open file stays usable after its name is deleted. */
    static final class Content {
        private static final int MAPPING_ALIGNMENT = 4_096;

        private byte[] bytes = new byte[0];
        private int size;

        synchronized int size() {
            return size;
        }

        synchronized void write(ByteBuffer source, long offset) {
            int start = Math.toIntExact(offset);
            int end = Math.addExact(start, source.remaining());
            if (end > size) {
                resize(end);
            }
            source.get(bytes, start, end - start);
        }

        synchronized int read(ByteBuffer into, long offset) {
            int start = (int) Math.min(offset, size);
            int length = Math.min(into.remaining(), size - start);
            into.put(bytes, start, length);
            return length;
        }

        synchronized void resize(long newSize) {
            int target = Math.toIntExact(newSize);
            if (target < size) {
                Arrays.fill(bytes, target, size, (byte) 0);
            } else if (target > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(target, bytes.length + (bytes.length >> 1)));
            }
            size = target;
        }

        synchronized MemorySegment copy(Arena arena) {
            MemorySegment segment = arena.allocate(size, MAPPING_ALIGNMENT);
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, segment, 0, size);
            return segment;
        }
    }

    private record MemoryFile(Content content) implements LogFile {
        @Override
        public long size() {
            return content.size();
        }

        @Override
        public void write(ByteBuffer bytes, long offset) {
            content.write(bytes, offset);
        }

        @Override
        public int read(ByteBuffer into, long offset) {
            return content.read(into, offset);
        }

        @Override
        public void force() {}

        @Override
        public void resize(long size) {
            content.resize(size);
        }

        @Override
        public void close() {}
    }
}
