package org.crabro.content.storage.read;

import org.crabro.content.storage.file.BlockProjection;
import org.crabro.content.storage.file.CorruptRunException;

/** The parts of slices that a pass reads, as far as they are known in advance. */
public interface ReadPlan {
    /** Returns a plan that reads the same parts of every slice. */
    static ReadPlan of(BlockProjection parts) {
        return new ReadPlan() {
            @Override
            public BlockProjection deciding() {
                return BlockProjection.NONE;
            }

            @Override
            public BlockProjection all() {
                return parts;
            }

            @Override
            public boolean isWanted(int slice) {
                return true;
            }

            @Override
            public boolean mayMatch(int slice) {
                return true;
            }
        };
    }

    /**
     * Returns the parts that {@link #mayMatch} reads; they are loaded before the rest is requested.
     */
    BlockProjection deciding();

    /** Returns all parts that are read. Other parts are loaded at first use. */
    BlockProjection all();

    /**
     * Returns whether any part of a slice is read, as far as headers show. Called by one thread at
     * a time.
     */
    boolean isWanted(int slice);

    /**
     * Returns whether more than the {@link #deciding} parts of a slice are read. The deciding parts
     * are in memory. Thread-safe.
     *
     * @throws CorruptRunException if the deciding parts are damaged
     */
    boolean mayMatch(int slice);
}
