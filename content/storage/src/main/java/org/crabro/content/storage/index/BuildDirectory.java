package org.crabro.content.storage.index;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.OutputStreamIndexOutput;
import org.apache.lucene.store.SingleInstanceLockFactory;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.LogFiles.LogFile;

/**
 * The files that an index is made of while it is built. They are never forced, and deleted when
 * this is closed. For one thread.
 */
final class BuildDirectory extends Directory {
    private static final int BUFFER = 64 << 10;

    private final LogFiles files;
    private final String prefix;
    private final SingleInstanceLockFactory locks = new SingleInstanceLockFactory();
    private final Map<String, Long> lengths = new TreeMap<>();
    private final Arena arena = Arena.ofShared();
    private final List<LogFile> open = new ArrayList<>();
    private long temporary;

    /**
     * @param prefix the path of every file begins with it
     */
    BuildDirectory(LogFiles files, String prefix) {
        this.files = files;
        this.prefix = prefix;
    }

    @Override
    public String[] listAll() {
        return lengths.keySet().toArray(String[]::new);
    }

    @Override
    public void deleteFile(String name) throws IOException {
        fileLength(name);
        files.delete(prefix + name);
        lengths.remove(name);
    }

    @Override
    public long fileLength(String name) throws IOException {
        Long length = lengths.get(name);
        if (length == null) {
            throw new NoSuchFileException(prefix + name);
        }
        return length;
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
        LogFile file = files.create(prefix + name);
        open.add(file);
        lengths.put(name, 0L);
        return new OutputStreamIndexOutput(prefix + name, name, new Output(name, file), BUFFER);
    }

    @Override
    public IndexOutput createTempOutput(String start, String end, IOContext context)
            throws IOException {
        return createOutput(getTempFileName(start, end, temporary++), context);
    }

    /** Appends to a file. */
    private final class Output extends OutputStream {
        private final String name;
        private final LogFile file;
        private long length;

        Output(String name, LogFile file) {
            this.name = name;
            this.file = file;
        }

        @Override
        public void write(int next) throws IOException {
            write(new byte[] {(byte) next}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            file.write(ByteBuffer.wrap(bytes, from, count), length);
            length += count;
        }

        @Override
        public void close() throws IOException {
            lengths.put(name, length);
            open.remove(file);
            file.close();
        }
    }

    @Override
    public void sync(Collection<String> names) {
        // Only the finished file is forced: an interrupted build begins again.
    }

    @Override
    public void syncMetaData() {
        // As above.
    }

    @Override
    public void rename(String from, String to) throws IOException {
        long length = fileLength(from);
        files.move(prefix + from, prefix + to);
        lengths.remove(from);
        lengths.put(to, length);
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
        return input(prefix + name, bytes(name));
    }

    /** Returns the bytes of a file, until this is closed. */
    MemorySegment bytes(String name) throws IOException {
        fileLength(name);
        return files.map(prefix + name, arena);
    }

    /**
     * Returns a reader of mapped bytes.
     *
     * @throws IOException if there are more than 2 GiB
     */
    static IndexInput input(String name, MemorySegment bytes) throws IOException {
        if (bytes.byteSize() > Integer.MAX_VALUE) {
            throw new IOException(
                    "%s has %d bytes, expected at most %d"
                            .formatted(name, bytes.byteSize(), Integer.MAX_VALUE));
        }
        ByteBuffer buffer = bytes.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        return new ByteBuffersIndexInput(new ByteBuffersDataInput(List.of(buffer)), name);
    }

    @Override
    public Lock obtainLock(String name) throws IOException {
        return locks.obtainLock(this, name);
    }

    @Override
    public Set<String> getPendingDeletions() {
        return Set.of();
    }

    @Override
    public void close() throws IOException {
        arena.close();
        for (LogFile file : open) {
            file.close();
        }
        for (String name : listAll()) {
            deleteFile(name);
        }
    }
}
