package org.crabro.perf.data;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.os.Residency;

/** The files of a store, with counts of written bytes and of forces outside of the journal. */
public final class CountedFiles implements LogFiles {
    private static final String JOURNAL = "journal";

    private final LogFiles files;
    private final LongAdder journalBytes = new LongAdder();
    private final LongAdder otherBytes = new LongAdder();
    private final LongAdder otherForces = new LongAdder();

    public CountedFiles(LogFiles files) {
        this.files = files;
    }

    /** Returns the bytes written to the journal. */
    public long journalBytes() {
        return journalBytes.sum();
    }

    /** Returns the bytes written elsewhere. */
    public long otherBytes() {
        return otherBytes.sum();
    }

    /** Returns how often files and directories were forced that are not the journal's. */
    public long otherForces() {
        return otherForces.sum();
    }

    private static boolean isJournal(String path) {
        return path.startsWith(JOURNAL);
    }

    @Override
    public LogFile create(String path) throws IOException {
        return new CountedFile(files.create(path), isJournal(path));
    }

    @Override
    public LogFile open(String path) throws IOException {
        return new CountedFile(files.open(path), isJournal(path));
    }

    @Override
    public LogFile openOnDevice(String path) throws IOException {
        return files.openOnDevice(path);
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
    public Optional<String> link(String path, LogFiles target) throws IOException {
        return files.link(path, target);
    }

    @Override
    public void forceDirectory(String directory) throws IOException {
        if (!isJournal(directory)) {
            otherForces.increment();
        }
        files.forceDirectory(directory);
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

    @Override
    public OptionalLong totalBytes() throws IOException {
        return files.totalBytes();
    }

    private final class CountedFile implements LogFile {
        private final LogFile file;
        private final boolean isJournal;

        CountedFile(LogFile file, boolean isJournal) {
            this.file = file;
            this.isJournal = isJournal;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void write(ByteBuffer bytes, long offset) throws IOException {
            (isJournal ? journalBytes : otherBytes).add(bytes.remaining());
            file.write(bytes, offset);
        }

        @Override
        public int read(ByteBuffer into, long offset) throws IOException {
            return file.read(into, offset);
        }

        @Override
        public void force() throws IOException {
            if (!isJournal) {
                otherForces.increment();
            }
            file.force();
        }

        @Override
        public void writeOut(long offset, long length) {
            file.writeOut(offset, length);
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
