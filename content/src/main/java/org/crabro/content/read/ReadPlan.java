package org.crabro.content.read;

import org.crabro.content.file.BlockProjection;
import org.crabro.content.file.CorruptRunException;

/** The parts of slices that a pass reads, as far as they are known in advance. */
public interface ReadPlan {
    /** Returns what is touched of every slice. */
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

    /** Returns what {@link #mayMatch} looks at, which is read before the rest is asked for. */
    BlockProjection deciding();

    /** Returns all that is touched; more is brought when it is touched. */
    BlockProjection all();

    /**
     * Returns whether anything of a slice is touched, by its index, as far as headers tell. Asked
     * by one thread at a time.
     */
    boolean isWanted(int slice);

    /**
     * Returns whether more of a slice is touched than what decides that, which is in memory. Any
     * thread may ask.
     *
     * @throws CorruptRunException if what decides it is not as it was written
     */
    boolean mayMatch(int slice);
}
