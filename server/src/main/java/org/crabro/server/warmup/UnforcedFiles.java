package org.crabro.server.warmup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.crabro.content.storage.os.Residency;

/**
 * Files below a directory that is deleted when this is closed. No file is forced, since the bytes
 * are needed only while the process runs.
 *
 * <p>The files are mapped like those of documents. The JVM then compiles the code of a query for
 * the memory segments that queries of clients read. Code that was compiled for arrays of the heap
 * would have to be compiled again.
 */
final class UnforcedFiles implements LogFiles, AutoCloseable {
    private final Path directory;
    private final MappedLogFiles files;

    /**
     * @param directory created if it does not exist
     * @throws IOException if the directory is in use or cannot be created
     */
    UnforcedFiles(Path directory) throws IOException {
        this.directory = directory;
        this.files = new MappedLogFiles(directory);
    }

    @Override
    public LogFile create(String path) throws IOException {
        return new UnforcedFile(files.create(path));
    }

    @Override
    public LogFile open(String path) throws IOException {
        return new UnforcedFile(files.open(path));
    }

    @Override
    public List<String> list(String path) throws IOException {
        return files.list(path);
    }

    @Override
    public void delete(String path) throws IOException {
        files.delete(path);
    }

    @Override
    public void move(String path, String newPath) throws IOException {
        files.move(path, newPath);
    }

    @Override
    public void forceDirectory(String path) {
        // These files are not read after a crash.
    }

    @Override
    public MemorySegment map(String path, Arena arena) throws IOException {
        return files.map(path, arena);
    }

    @Override
    public Residency residency() {
        return files.residency();
    }

    @Override
    public long freeBytes() throws IOException {
        return files.freeBytes();
    }

    /** Releases and deletes the directory. */
    @Override
    public void close() throws IOException {
        files.close();
        delete(directory);
    }

    /** Deletes a directory with its files, if it exists. */
    static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.toList().reversed()) {
                Files.delete(path);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private record UnforcedFile(LogFile file) implements LogFile {
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
        public void force() {
            // These files are not read after a crash.
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
