package org.crabro.content.result;

import java.util.List;
import org.crabro.content.block.EncodedBlock;
import org.crabro.content.file.CorruptRunException;
import org.crabro.content.file.QueryReads;
import org.crabro.content.read.BlockSlice;
import org.crabro.content.read.SliceReads;

/**
 * Which slices of a query can be read: one that cannot is left out of every pass from then on.
 *
 * <p>Where a slice fails before it is worked on, the pass goes on. Afterwards its rows may stand
 * among the best already, in the way of others: then the query is tried again without it. Keys of a
 * block are touched when a row of any other ties with one of its own, so who fails is not always
 * who is at fault; from the next try on keys are checked before anything is done with a slice. So
 * there are as many tries as there are slices at the very most, and two or three nearly always.
 */
final class ReadableSlices {
    private final QueryReads reads;
    private final ScanScheduler.Turn turn;
    // Written by the thread that meets a slice in one pass, read in the next.
    private final boolean[] aside;
    // Written between passes.
    private List<BlockSlice> slices;
    private boolean checksKeys;
    private volatile boolean isTriedAgain;

    /**
     * @param turn of the query
     */
    ReadableSlices(List<BlockSlice> slices, QueryReads reads, ScanScheduler.Turn turn) {
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
                if (checksKeys && slices.get(slice).block() instanceof EncodedBlock block) {
                    block.checkKeys();
                }
            }

            @Override
            public void leave(int slice) {
                pass.leave(slice);
            }

            @Override
            public boolean setAside(int slice, boolean isBegun, Throwable unreadable) {
                return ReadableSlices.this.setAside(slice, isBegun, unreadable);
            }
        };
    }

    /** Others may run while a slice is awaited. */
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
        if (!(slices.get(slice).block() instanceof EncodedBlock block)) {
            return false;
        }
        boolean isOwn =
                !isBegun
                        || checksKeys
                        || (unreadable instanceof CorruptRunException e && block.has(e));
        if (!isOwn) {
            return false;
        }
        isTriedAgain |= isBegun;
        leaveOut(slice, reason(block, unreadable));
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

    private void leaveOut(int slice, CorruptRunException reason) {
        aside[slice] = true;
        reads.setAside(reason, slices.get(slice).liveCount());
    }

    /** Returns whether a try that came to its end is to be made again without what failed in it. */
    boolean isTriedAgain() {
        boolean again = isTriedAgain;
        isTriedAgain = false;
        return again;
    }

    /**
     * Returns whether a query that was given up is to be tried again: without the slices that
     * {@code unreadable} names, if it does.
     */
    boolean isTriedAgain(Throwable unreadable) {
        isTriedAgain = false;
        boolean isChanged = !checksKeys;
        checksKeys = true;
        if (unreadable instanceof CorruptRunException e) {
            for (int slice = 0; slice < aside.length; slice++) {
                if (!aside[slice]
                        && slices.get(slice).block() instanceof EncodedBlock block
                        && block.has(e)) {
                    leaveOut(slice, e);
                    isChanged = true;
                }
            }
        }
        return isChanged;
    }
}
