package org.crabro.content.block;

import org.crabro.content.journal.Residency;
import org.jspecify.annotations.Nullable;

/**
 * Which chunks of a whole block were found in memory, and checked, at one {@linkplain
 * Residency#moment moment}: as long as it lasts nobody asks again. Threads may note things at once:
 * what is lost is a question asked twice.
 */
final class ResidentChunks {
    private @Nullable AtOneMoment found;

    /**
     * @param chunks a bit each
     */
    private record AtOneMoment(long chunks, int moment) {}

    /**
     * Returns whether all of {@code chunks} were found.
     *
     * @param moment negative where there is none
     */
    boolean has(long chunks, int moment) {
        AtOneMoment last = found;
        return last != null
                && moment >= 0
                && last.moment() == moment
                && (chunks & ~last.chunks()) == 0;
    }

    /** Notes that {@code chunks} were found. */
    void add(long chunks, int moment) {
        AtOneMoment last = found;
        if (moment >= 0) {
            long others = last != null && last.moment() == moment ? last.chunks() : 0;
            found = new AtOneMoment(chunks | others, moment);
        }
    }
}
