package org.crabro.content.read;

import java.util.List;
import java.util.concurrent.Executor;
import org.crabro.protocol.wire.Deadline;

/**
 * Brings what queries are going to touch into memory, ahead of them, on threads of its own: these
 * wait for the device, so that those that scan do not.
 */
public final class ReadAhead {
    /** The most threads that a node reads with: disks reach their rate below it. */
    private static final int MOST_THREADS = 16;

    /**
     * As many for each processor: reading takes about as much time of a processor as of the disk,
     * so that some have to wait for the one while others are at work on the other. With more,
     * queries that read little stand in line with these threads.
     */
    private static final int THREADS_PER_CORE = 3;

    private static final int LEAST_THREADS = 4;

    /**
     * As many processors for each query that reads much side by side with others: one after the
     * other they are done sooner, but one alone leaves a large machine's disks idle.
     */
    private static final int CORES_PER_LARGE = 2;

    /** What is asked for ahead of one query: a large page for each of six threads. */
    public static final long BYTES_AHEAD = 12 << 20;

    /** Slices that are asked for ahead of one query, where they are small. */
    static final int SLICES_AHEAD = 64;

    /**
     * Slices that are looked for ahead of one query while all of them are in memory: what tells it
     * is looked at together, and not block by block between the bytes of blocks.
     */
    static final int FOUND_AHEAD = 512;

    private final Executor threads;
    private final ReadTurns turns;

    /**
     * @param threads platform threads, as many as {@link #threads} says; who made them closes them
     * @param cores how many processors there are: half as many queries read much at a time
     */
    public ReadAhead(Executor threads, int cores) {
        this.threads = threads;
        this.turns = new ReadTurns(Math.max(1, cores / CORES_PER_LARGE), ReadTurns.LONGEST_WAIT);
    }

    /**
     * Returns how many threads a node reads with: as many parts of slices are asked for and waited
     * for side by side.
     *
     * @param cores how many processors there are
     */
    public static int threads(int cores) {
        return Math.clamp((long) THREADS_PER_CORE * cores, LEAST_THREADS, MOST_THREADS);
    }

    /**
     * Begins a pass over slices, about in their order. Nothing is read yet.
     *
     * @param deadline up to when one that reads much waits for others that do
     */
    public SliceReads begin(List<BlockSlice> slices, ReadPlan reads, Deadline deadline) {
        return new SliceReads(threads, turns.newTurn(deadline), slices, reads);
    }
}
