package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * The memory of the process, by absolute address. Its bounds and lifetime are constants, so the
 * compiler removes both checks from all loops. With one segment per run, it removes them from loops
 * with one position, but not from loops with two.
 *
 * <p>Accesses are not checked. A caller takes the address from a segment whose bounds it has
 * checked and whose arena stays open during the access: scans hold the view that owns their
 * mappings (ADR 16).
 */
final class AllMemory {
    @SuppressWarnings("restricted") // wraps all memory on purpose
    static final MemorySegment SEGMENT = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final long KNOWN = (1L << 60) - 1;
    private static final long KNOWN_SIZE = (1L << 56) - 1;

    private AllMemory() {}

    /**
     * Returns the address itself. The mask tells the compiler that it is far below the end of
     * {@link #SEGMENT}, also in loops in which it cannot derive a limit. No process has addresses
     * above that.
     */
    static long trackedSize(long address) {
        return address & KNOWN;
    }

    /** Returns a size of memory as it is; so much of an address that some may be added to it. */
    static long checkedSize(long size) {
        return size & KNOWN_SIZE;
    }

    /**
     * Returns the address of a run, after the checks that {@link #SEGMENT} does not do.
     *
     * @throws IndexOutOfBoundsException if the run has fewer rows, or {@code into} has fewer
     *     elements
     * @throws IllegalStateException if the run's arena is closed
     */
    static long address(long rowSize, MemorySegment run, int count, double[] into) {
        Objects.checkFromIndexSize(0, count * rowSize, run.byteSize());
        Objects.checkFromIndexSize(0, count, into.length);
        return address(run);
    }

    /**
     * Returns where a segment outside the heap begins.
     *
     * @throws IllegalStateException if its arena is closed
     */
    static long address(MemorySegment segment) {
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException("Already closed");
        }
        return segment.address();
    }
}
