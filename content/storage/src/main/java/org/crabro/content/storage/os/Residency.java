package org.crabro.content.storage.os;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Reports which parts of mapped files are in memory, and loads them. Thread-safe; the caller keeps
 * the mapping open during a call.
 *
 * <p>Parts are rounded to whole pages of the mapping.
 */
public interface Residency {
    /** The residency of bytes that are always in memory. */
    Residency ALWAYS = new Always();

    /** Returns how many bytes of {@code part} would have to be read from the device. */
    long missing(MemorySegment part);

    /**
     * Returns a number that changes about four times per second. A part that is found in memory
     * counts as resident until the number changes. A negative number means that an answer is valid
     * only once.
     */
    default int moment() {
        return -1;
    }

    /** Starts reading {@code part} and does not wait. */
    void ask(MemorySegment part);

    /**
     * Loads {@code part}: when this returns, it is in memory and touching it costs no read. Call
     * {@link #ask} before, so that the part is read in large requests and not page by page.
     *
     * @throws IOException if it cannot be read; touching it would throw an {@link InternalError}
     */
    void load(MemorySegment part) throws IOException;

    /**
     * Returns the size in bytes of the parts that {@link #loadLarge} accepts in the mapping of
     * {@code part}: a power of two, or 0 if large pages are not useful there.
     */
    default int largeSize(MemorySegment part) {
        return 0;
    }

    /**
     * Loads {@code part} into one page of the same size, if the system has a free one. This is
     * cheaper than many small pages, both to read and to reclaim. Bytes that are already in memory
     * in small pages are read again.
     *
     * @param part {@link #largeSize} bytes, at a multiple of that size in the file
     * @throws IOException if it cannot be read
     */
    default void loadLarge(MemorySegment part) throws IOException {
        ask(part);
        load(part);
    }

    /**
     * States that {@code part} was read and will not be read again soon. It stays in memory until
     * the system needs the pages, and the system can reclaim them with less work. If another query
     * reads the part, the access is slightly slower.
     */
    default void markCold(MemorySegment part) {}

    /** All bytes are always in memory. */
    final class Always implements Residency {
        private Always() {}

        @Override
        public long missing(MemorySegment part) {
            return 0;
        }

        @Override
        public int moment() {
            return 0;
        }

        @Override
        public void ask(MemorySegment part) {}

        @Override
        public void load(MemorySegment part) {}
    }
}
