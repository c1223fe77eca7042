package org.crabro.content.run;

import java.util.List;
import java.util.concurrent.Executor;

/**
 * Brings what queries are going to touch into memory, ahead of them, on threads of its own: these
 * wait for the device, so that those that scan do not.
 */
public final class ReadAhead {
    /**
     * How many threads a node reads with: as many parts of slices are asked for and waited for side
     * by side. Disks reach their rate below it.
     */
    public static final int THREADS = 16;

    /** What is asked for ahead of one query. */
    static final long BYTES_AHEAD = 8 << 20;

    /** Slices that are asked for ahead of one query, where they are small. */
    static final int SLICES_AHEAD = 64;

    private final Executor threads;

    /**
     * @param threads platform threads, up to {@link #THREADS}; who made them closes them
     */
    public ReadAhead(Executor threads) {
        this.threads = threads;
    }

    /** Begins a pass over slices, about in their order. Nothing is read yet. */
    public SliceReads begin(List<BlockSlice> slices, PassReads reads) {
        return new SliceReads(threads, slices, reads);
    }
}
