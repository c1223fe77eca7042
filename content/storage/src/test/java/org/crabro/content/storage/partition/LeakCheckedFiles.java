package org.crabro.content.storage.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Files in memory; a test that leaves one open or mapped fails at its end. */
public final class LeakCheckedFiles implements LogFiles, AfterEachCallback {
    private final LogFiles files;
    private final Map<String, Integer> open = new TreeMap<>();
    private final Map<String, List<Arena>> mapped = new TreeMap<>();

    public LeakCheckedFiles() {
        this(new MemoryLogFiles());
    }

    LeakCheckedFiles(LogFiles files) {
        this.files = files;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        checkNothingIsLeft();
    }

    /** Fails if a file is open or mapped. */
    void checkNothingIsLeft() {
        assertThat(open).as("files left open").isEmpty();
        assertThat(mappedFiles()).as("files left mapped").isEmpty();
    }

    /** Returns the paths of the mapped files. */
    List<String> mappedFiles() {
        return mapped.entrySet().stream()
                .filter(file -> file.getValue().stream().anyMatch(arena -> arena.scope().isAlive()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Flips {@code bits} of a byte. */
    public void flip(String path, long offset, int bits) throws IOException {
        try (LogFile file = files.open(path)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            file.read(one, offset);
            one.put(0, (byte) (one.get(0) ^ bits)).flip();
            file.write(one, offset);
        }
    }

    /** Returns all bytes of a file. */
    public byte[] bytes(String path) throws IOException {
        try (LogFile file = files.open(path)) {
            ByteBuffer all = ByteBuffer.allocate((int) file.size());
            file.read(all, 0);
            return all.array();
        }
    }

    /** Makes a file of {@code bytes}. */
    public void put(String path, byte[] bytes) throws IOException {
        files.delete(path);
        try (LogFile file = files.create(path)) {
            file.write(ByteBuffer.wrap(bytes), 0);
        }
    }

    @Override
    public LogFile create(String path) throws IOException {
        return counted(path, files.create(path));
    }

    @Override
    public LogFile open(String path) throws IOException {
        return counted(path, files.open(path));
    }

    @Override
    public List<String> list(String directory) throws IOException {
        return files.list(directory);
    }

    @Override
    public void move(String path, String newPath) throws IOException {
        files.move(path, newPath);
    }

    @Override
    public void delete(String path) throws IOException {
        files.delete(path);
    }

    @Override
    public void forceDirectory(String directory) throws IOException {
        files.forceDirectory(directory);
    }

    @Override
    public MemorySegment map(String path, Arena arena) throws IOException {
        mapped.computeIfAbsent(path, _ -> new ArrayList<>()).add(arena);
        return files.map(path, arena);
    }

    @Override
    public long freeBytes() throws IOException {
        return files.freeBytes();
    }

    private LogFile counted(String path, LogFile file) {
        open.merge(path, 1, Integer::sum);
        return new CountedFile(path, file);
    }

    private final class CountedFile implements LogFile {
        private final String path;
        private final LogFile file;

        private CountedFile(String path, LogFile file) {
            this.path = path;
            this.file = file;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void write(ByteBuffer bytes, long offset) throws IOException {
            file.write(bytes, offset);
        }

        @Override
        public int read(ByteBuffer into, long offset) throws IOException {
            return file.read(into, offset);
        }

        @Override
        public void force() throws IOException {
            file.force();
        }

        @Override
        public void resize(long size) throws IOException {
            file.resize(size);
        }

        @Override
        public void close() throws IOException {
            open.merge(path, -1, (left, right) -> left + right == 0 ? null : left + right);
            file.close();
        }
    }
}
