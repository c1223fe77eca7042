package org.crabro.content.journal;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Which parts of mapped files are in memory, and how they get there. Any thread may ask; whoever
 * asks keeps the mapping open meanwhile.
 *
 * <p>Parts are rounded to whole pages of the mapping.
 */
public interface Residency {
    /** Of bytes that are in memory by their nature. */
    Residency ALWAYS = new Always();

    /** Returns how many bytes of {@code part} would have to be read from the device. */
    long missing(MemorySegment part);

    /**
     * Returns a number that is the same for about a quarter of a second: what is found in memory
     * counts as being there until it is another one. Negative where it counts for that once only.
     */
    default int moment() {
        return -1;
    }

    /** Has {@code part} read, without waiting for it. */
    void ask(MemorySegment part);

    /**
     * Returns when {@code part} is in memory and touching it costs nothing. To be {@linkplain #ask
     * asked} for before, so that it is read at once and not page by page.
     *
     * @throws IOException if it cannot be read; touching it would end in an {@link InternalError}
     */
    void load(MemorySegment part) throws IOException;

    /**
     * Returns how many bytes {@link #loadLarge} takes of the mapping that {@code part} is of: a
     * power of two, or 0 where it has no use.
     */
    default int largeSize(MemorySegment part) {
        return 0;
    }

    /**
     * Returns when {@code part} is in memory, read at once into one page as large as it is where
     * the system has one to give: less work than many small ones, now and when it wants them back.
     * What of it is in memory already in small pages is read again.
     *
     * @param part {@link #largeSize} bytes, from a multiple of as many on in the file
     * @throws IOException if it cannot be read
     */
    default void loadLarge(MemorySegment part) throws IOException {
        ask(part);
        load(part);
    }

    /**
     * Says that {@code part} was looked at and will not be again soon. It stays in memory as long
     * as the system has no better use for it, and the system gets it back with less work; who
     * touches it all the same, in another query, pays a little more.
     */
    default void leave(MemorySegment part) {}

    /** Nothing is ever missing. */
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
