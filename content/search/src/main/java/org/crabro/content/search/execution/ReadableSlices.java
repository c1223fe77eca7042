package org.crabro.content.search.execution;

import java.util.List;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.SliceReads;

/**
 * Remembers which slices of a query cannot be read. Later passes skip them.
 *
 * <p>If a slice fails before a thread works on it, the pass continues. If it fails later, its rows
 * may be among the best already: then the query makes another attempt without the slice.
 *
 * <p>A tie between rows of two blocks reads the keys of both, so a failure may be caused by the
 * other block. From the second attempt on, the keys of each block are checked before its rows are
 * scanned. Nearly all queries need two or three attempts. The most is one per slice.
 */
final class ReadableSlices {
    private final ReadContext reads;
    private final ScanScheduler.Turn turn;
    // Written by the thread that scans a slice in one pass, read in the next pass.
    private final boolean[] aside;
    // Written between passes.
    private List<BlockSlice> slices;
    private boolean checksKeys;
    private volatile boolean isTriedAgain;

    /**
     * @param turn lets other searches run first
     */
    ReadableSlices(List<BlockSlice> slices, ReadContext reads, ScanScheduler.Turn turn) {
        this.slices = slices;
        this.turn = turn;
        this.reads = reads;
        this.aside = new boolean[slices.size()];
    }

    /**
     * Returns the guard of a pass.
     *
     * @param scanned the slices of the pass, of the same blocks as those of the constructor
     * @param pass reads them into memory
     */
    SliceTeam.Guard during(List<BlockSlice> scanned, SliceReads pass) {
        slices = scanned;
        return new SliceTeam.Guard() {
            @Override
            public boolean isHelpWanted() {
                return !turn.isContended();
            }

            @Override
            public boolean isWanted(int slice) {
                return !aside[slice];
            }

            @Override
            public void take(int slice) {
                turn.step();
                takeFrom(pass, slice);
                if (checksKeys) {
                    slices.get(slice).block().checkKeys();
                }
            }

            @Override
            public void finish(int slice) {
                pass.finish(slice);
            }

            @Override
            public boolean setAside(int slice, boolean isBegun, Throwable unreadable) {
                return ReadableSlices.this.setAside(slice, isBegun, unreadable);
            }
        };
    }

    /** Lets other searches run while this one waits for the disk. */
    private void takeFrom(SliceReads pass, int slice) {
        if (pass.isAllThere() || !turn.isLed()) {
            pass.take(slice);
            return;
        }
        turn.pause();
        try {
            pass.take(slice);
        } finally {
            turn.resume();
        }
    }

    private boolean setAside(int slice, boolean isBegun, Throwable unreadable) {
        EncodedBlock block = slices.get(slice).block();
        boolean isOwn =
                !isBegun
                        || checksKeys
                        || (unreadable instanceof CorruptRunException e && block.has(e));
        if (!isOwn) {
            return false;
        }
        isTriedAgain |= isBegun;
        skip(slice, reason(block, unreadable));
        return true;
    }

    private static CorruptRunException reason(EncodedBlock block, Throwable unreadable) {
        return switch (unreadable) {
            case CorruptRunException e -> e;
            case InternalError e -> block.unreadable(e);
            default ->
                    throw new IllegalArgumentException(
                            "nothing that could not be read", unreadable);
        };
    }

    private void skip(int slice, CorruptRunException reason) {
        aside[slice] = true;
        reads.setAside(reason, slices.get(slice).liveCount());
    }

    /**
     * Returns whether an attempt that ended is made again, without the slices that failed in it.
     */
    boolean isTriedAgain() {
        boolean again = isTriedAgain;
        isTriedAgain = false;
        return again;
    }

    /**
     * Returns whether an attempt that failed is made again, without the slices that {@code
     * unreadable} names, if it names any.
     */
    boolean isTriedAgain(Throwable unreadable) {
        isTriedAgain = false;
        boolean isChanged = !checksKeys;
        checksKeys = true;
        if (unreadable instanceof CorruptRunException e) {
            for (int slice = 0; slice < aside.length; slice++) {
                if (!aside[slice] && slices.get(slice).block().has(e)) {
                    skip(slice, e);
                    isChanged = true;
                }
            }
        }
        return isChanged;
    }
}
