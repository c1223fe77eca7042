package org.crabro.server;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalLong;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.MappedLogFiles;

/** Files whose forces fail, and whose disk is full, on request. */
final class FailingDisk implements LogFiles {
    private final MappedLogFiles files;

    private volatile boolean failsForces;
    private volatile long freeBytes = Long.MAX_VALUE;

    FailingDisk(MappedLogFiles files) {
        this.files = files;
    }

    void failForces(boolean fails) {
        failsForces = fails;
    }

    void limitFree(long bytes) {
        freeBytes = bytes;
    }

    @Override
    public LogFile create(String path) throws IOException {
        return new FailingFile(files.create(path));
    }

    @Override
    public LogFile open(String path) throws IOException {
        return new FailingFile(files.open(path));
    }

    @Override
    public List<String> list(String directory) throws IOException {
        return files.list(directory);
    }

    @Override
    public void delete(String path) throws IOException {
        files.delete(path);
    }

    @Override
    public void move(String path, String other) throws IOException {
        files.move(path, other);
    }

    @Override
    public void forceDirectory(String directory) throws IOException {
        files.forceDirectory(directory);
    }

    @Override
    public MemorySegment map(String path, Arena arena) throws IOException {
        return files.map(path, arena);
    }

    @Override
    public long freeBytes() throws IOException {
        return Math.min(freeBytes, files.freeBytes());
    }

    @Override
    public OptionalLong totalBytes() {
        return OptionalLong.empty();
    }

    private final class FailingFile implements LogFile {
        private final LogFile file;

        FailingFile(LogFile file) {
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
            if (failsForces) {
                throw new IOException("input/output error");
            }
            file.force();
        }

        @Override
        public void resize(long size) throws IOException {
            file.resize(size);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
