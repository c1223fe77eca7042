package org.crabro.content.storage.file;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ForkJoinPool;
import org.crabro.content.storage.os.Residency;

/**
 * A mapped run file, and methods that load its bytes before they are used.
 *
 * @param file the path, for errors
 * @param bytes the whole file
 * @param damage the known damage of this and other files
 */
public record RunBytes(
        String file, MemorySegment bytes, Residency residency, DamageRegister damage) {
    /** A file without known damage. */
    public RunBytes(String file, MemorySegment bytes, Residency residency) {
        this(file, bytes, residency, new DamageRegister());
    }

    /** Returns whether {@code other} is the same mapping. */
    public boolean isSame(RunBytes other) {
        return bytes.address() == other.bytes.address();
    }

    /** Returns the number of bytes of {@code extents} that are not in memory. */
    public long missing(Extents extents) {
        long missing = 0;
        for (int i = 0; i < extents.count(); i++) {
            missing += residency.missing(part(extents, i));
        }
        return missing;
    }

    /**
     * Loads {@code extents}. Requests all of them before it waits for the first. While the thread
     * waits, its pool starts another thread.
     *
     * @throws CorruptRunException if they cannot be read
     */
    public void load(Extents extents, ReadContext reads) {
        int ended = reads.ended();
        long missing = missing(extents);
        if (missing > 0) {
            reads.begin(this, extents, missing, ended);
            try {
                ForkJoinPool.managedBlock(new Load(extents));
            } catch (InterruptedException e) {
                throw new IllegalStateException("loading does not wait interruptibly", e);
            } finally {
                reads.end(extents);
            }
        }
    }

    /**
     * Loads a few bytes of the file.
     *
     * @param reads counts the bytes read from the device
     * @throws CorruptRunException if they cannot be read
     */
    public void load(MemorySegment few, ReadContext reads) {
        if (residency.missing(few) > 0) {
            var extents = new Extents();
            long offset = few.address() - bytes.address();
            extents.add(offset, offset + few.byteSize());
            load(extents, reads);
        }
    }

    /**
     * Returns the number of bytes that {@link #loadLarge} loads; 0 if large pages are not useful.
     */
    public int largeSize() {
        return residency.largeSize(bytes);
    }

    /**
     * Loads a large part of the file, unless most of it is in memory.
     *
     * @param offset a multiple of {@link #largeSize}
     * @param reads counts the bytes read from the device
     * @throws IOException if it cannot be read
     */
    public void loadLarge(long offset, ReadContext reads) throws IOException {
        MemorySegment part = bytes.asSlice(offset, largeSize());
        int ended = reads.ended();
        long missing = residency.missing(part);
        if (missing > part.byteSize() / 2) {
            var extents = new Extents();
            extents.add(offset, offset + part.byteSize());
            reads.begin(this, extents, missing, ended);
            try {
                residency.loadLarge(part);
            } finally {
                reads.end(extents);
            }
        }
    }

    private final class Load implements ForkJoinPool.ManagedBlocker {
        private final Extents extents;
        private boolean done;

        Load(Extents extents) {
            this.extents = extents;
        }

        @Override
        public boolean block() {
            for (int i = 0; i < extents.count(); i++) {
                residency.ask(part(extents, i));
            }
            for (int i = 0; i < extents.count(); i++) {
                populate(extents, i);
            }
            done = true;
            return true;
        }

        @Override
        public boolean isReleasable() {
            return done;
        }
    }

    private void populate(Extents extents, int index) {
        try {
            residency.load(part(extents, index));
        } catch (IOException e) {
            throw new CorruptRunException(
                    file,
                    extents.from(index),
                    "%d bytes that can be read".formatted(extents.to(index) - extents.from(index)),
                    String.valueOf(e.getMessage()));
        }
    }

    private MemorySegment part(Extents extents, int index) {
        long from = extents.from(index);
        return bytes.asSlice(from, Math.min(extents.to(index), bytes.byteSize()) - from);
    }
}
