package org.crabro.container.reindex;

import java.time.Duration;

/**
 * The share of time for reindexing: half at speed 1, about a tenth at 0.1, nine tenths at 10. Only
 * one page is processed at a time, so reindexing uses at most one processor and one write of a few
 * documents.
 */
final class Pace {
    private static final Duration PAUSE_MAX = Duration.ofMinutes(1);

    private Pace() {}

    /**
     * Returns the pause after a page.
     *
     * @param worked the time of the last page
     * @param speed above 0
     */
    static Duration pause(Duration worked, double speed) {
        double nanos = Math.max(0, worked.toNanos()) / speed;
        return nanos < PAUSE_MAX.toNanos() ? Duration.ofNanos((long) nanos) : PAUSE_MAX;
    }
}
