package org.crabro.content.result;

import java.util.List;
import org.crabro.content.run.BlockSlice;
import org.crabro.content.run.CorruptRunException;
import org.crabro.content.run.EncodedBlock;
import org.crabro.content.run.QueryReads;
import org.crabro.content.run.SliceReads;

/** Which slices of a query can be read: one that cannot is left out of every pass from then on. */
final class ReadableSlices {
    private final List<BlockSlice> slices;
    private final QueryReads reads;
    // Written by the thread that meets a slice in one pass, read in the next.
    private final boolean[] aside;

    ReadableSlices(List<BlockSlice> slices, QueryReads reads) {
        this.slices = slices;
        this.reads = reads;
        this.aside = new boolean[slices.size()];
    }

    /** Returns what stands before each slice of a pass that brings its bytes by {@code pass}. */
    SliceTeam.Guard during(SliceReads pass) {
        return new SliceTeam.Guard() {
            @Override
            public boolean isWanted(int slice) {
                return !aside[slice];
            }

            @Override
            public void take(int slice) {
                pass.take(slice);
            }

            @Override
            public boolean setAside(int slice, Throwable unreadable) {
                return ReadableSlices.this.setAside(slice, unreadable);
            }
        };
    }

    private boolean setAside(int slice, Throwable unreadable) {
        switch (unreadable) {
            case CorruptRunException e -> leaveOut(slice, e);
            case InternalError e when slices.get(slice).block() instanceof EncodedBlock block ->
                    leaveOut(slice, block.unreadable(e));
            default -> {
                return false;
            }
        }
        return true;
    }

    private void leaveOut(int slice, CorruptRunException reason) {
        aside[slice] = true;
        reads.setAside(reason, slices.get(slice).liveCount());
    }
}
