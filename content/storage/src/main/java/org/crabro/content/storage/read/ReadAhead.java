package org.crabro.content.storage.read;

import java.util.List;
import java.util.concurrent.Executor;
import org.crabro.protocol.wire.Deadline;

/**
 * Loads the bytes that queries are going to read, ahead of them, on its own threads. These threads
 * wait for the device, so that scan threads do not.
 */
public final class ReadAhead {
    /** The most reading threads of a node: disks reach their full rate with fewer. */
    private static final int MOST_THREADS = 16;

    /**
     * The number of threads per processor. Reading needs about as much processor time as disk time,
     * so some threads wait for the disk while others use the processor. With more threads, queries
     * that read little would wait longer for a processor.
     */
    private static final int THREADS_PER_CORE = 3;

    private static final int LEAST_THREADS = 4;

    /**
     * The number of processors for each query that reads much at the same time. Such queries finish
     * sooner one after another, but a single one leaves the disks of a large machine idle.
     */
    private static final int CORES_PER_LARGE = 2;

    /**
     * The most bytes that are requested ahead of one query: a large page for each of six threads.
     */
    public static final long BYTES_AHEAD = 12 << 20;

    /** The most slices that are requested ahead of one query, if they are small. */
    static final int SLICES_AHEAD = 64;

    /**
     * The most slices that are examined ahead of one query while all of them are in memory: their
     * headers are then read together, and not between the data of the blocks.
     */
    static final int FOUND_AHEAD = 512;

    private final Executor threads;
    private final ReadTurns turns;

    /**
     * @param threads platform threads, {@link #threads} of them; the caller closes them
     * @param cores the number of processors: half as many queries read much at a time
     */
    public ReadAhead(Executor threads, int cores) {
        this.threads = threads;
        this.turns = new ReadTurns(Math.max(1, cores / CORES_PER_LARGE), ReadTurns.LONGEST_WAIT);
    }

    /**
     * Returns the number of reading threads of a node: so many parts of slices are requested and
     * waited for in parallel.
     *
     * @param cores the number of processors
     */
    public static int threads(int cores) {
        return Math.clamp((long) THREADS_PER_CORE * cores, LEAST_THREADS, MOST_THREADS);
    }

    /**
     * Begins a pass over slices, approximately in their order. Reads nothing yet.
     *
     * @param deadline the end of the wait for a turn, if the pass reads much
     */
    public SliceReads begin(List<BlockSlice> slices, ReadPlan reads, Deadline deadline) {
        return new SliceReads(threads, turns.newTurn(deadline), slices, reads);
    }
}
