package org.crabro.container.reindex;

import java.time.Duration;

/**
 * How much of the time goes into reindexing. At speed 1 it is half, at 0.1 about a tenth, at 10 all
 * but a tenth; and never more than one page at once, so that one processor and one write of a few
 * documents is the most that others lose.
 */
final class Pace {
    private static final Duration PAUSE_MAX = Duration.ofMinutes(1);

    private Pace() {}

    /**
     * Returns how long to wait.
     *
     * @param worked how long the last page took
     * @param speed above 0
     */
    static Duration pause(Duration worked, double speed) {
        double nanos = Math.max(0, worked.toNanos()) / speed;
        return nanos < PAUSE_MAX.toNanos() ? Duration.ofNanos((long) nanos) : PAUSE_MAX;
    }
}
