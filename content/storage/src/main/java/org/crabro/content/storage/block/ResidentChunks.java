package org.crabro.content.storage.block;

import org.crabro.content.storage.os.Residency;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of a whole block that were in memory and checked at one {@linkplain Residency#moment
 * moment}. They are not checked again during that moment. If two threads write at the same time,
 * one update may be lost, and its chunk is checked again.
 */
final class ResidentChunks {
    private @Nullable AtOneMoment latest;

    /**
     * @param chunks one bit per chunk
     */
    private record AtOneMoment(long chunks, int moment) {}

    /**
     * Returns whether all of {@code chunks} were found.
     *
     * @param moment negative if there is none
     */
    boolean has(long chunks, int moment) {
        AtOneMoment last = latest;
        return last != null
                && moment >= 0
                && last.moment() == moment
                && (chunks & ~last.chunks()) == 0;
    }

    /** Adds {@code chunks} that were found. */
    void add(long chunks, int moment) {
        AtOneMoment last = latest;
        if (moment >= 0) {
            long others = last != null && last.moment() == moment ? last.chunks() : 0;
            latest = new AtOneMoment(chunks | others, moment);
        }
    }
}
