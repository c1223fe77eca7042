package org.crabro.container.reindex;

import java.util.OptionalLong;

/**
 * One time that all documents of a type go through their scripts.
 *
 * @param number tells the runs of a type apart, as long as the process lives
 * @param readyMillis when it was asked for, since 1970
 * @param speed above 0, at most {@value #SPEED_MAX}; 0 where it stands still
 * @param cause why, for who looks at it
 * @param message what happened, for who looks at it; may be empty
 * @param startedMillis when the first document was looked for
 * @param endedMillis when that ended, or was given up for a time
 */
public record ReindexRun(
        long number,
        long readyMillis,
        double speed,
        String cause,
        ReindexState state,
        String message,
        OptionalLong startedMillis,
        OptionalLong endedMillis,
        ReindexPlace place) {
    /** The highest speed. */
    public static final double SPEED_MAX = 10;

    public ReindexRun {
        if (!(speed >= 0 && speed <= SPEED_MAX)) {
            throw new IllegalArgumentException("speed is " + speed);
        }
    }

    /** Returns a run of which nothing was done yet. */
    static ReindexRun ready(long number, long nowMillis, double speed, String cause) {
        return new ReindexRun(
                number,
                nowMillis,
                speed,
                cause,
                ReindexState.PENDING,
                "",
                OptionalLong.empty(),
                OptionalLong.empty(),
                ReindexPlace.begin(0));
    }

    ReindexRun withSpeed(double faster) {
        return new ReindexRun(
                number,
                readyMillis,
                faster,
                cause,
                state,
                message,
                startedMillis,
                endedMillis,
                place);
    }

    ReindexRun withMessage(String told) {
        return new ReindexRun(
                number, readyMillis, speed, cause, state, told, startedMillis, endedMillis, place);
    }

    ReindexRun started(long nowMillis, int partitions) {
        return new ReindexRun(
                number,
                readyMillis,
                speed,
                cause,
                ReindexState.RUNNING,
                "",
                OptionalLong.of(nowMillis),
                OptionalLong.empty(),
                ReindexPlace.begin(partitions));
    }

    /** Returns this after it came on; also one that had been given up for a time. */
    ReindexRun at(ReindexPlace further, String told) {
        return new ReindexRun(
                number,
                readyMillis,
                speed,
                cause,
                ReindexState.RUNNING,
                told,
                startedMillis,
                OptionalLong.empty(),
                further);
    }

    ReindexRun ended(ReindexState end, String told, long nowMillis) {
        return new ReindexRun(
                number,
                readyMillis,
                speed,
                cause,
                end,
                told,
                startedMillis,
                OptionalLong.of(nowMillis),
                place);
    }
}
