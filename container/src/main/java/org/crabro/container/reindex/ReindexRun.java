package org.crabro.container.reindex;

import java.util.OptionalLong;

/**
 * One run that processes all documents of a type with their scripts.
 *
 * @param number unique among the runs of a type, during the life of the process
 * @param readyMillis time of the request, since 1970
 * @param speed above 0, at most {@value #SPEED_MAX}; 0 while it is paused
 * @param cause the reason, for readers
 * @param message the result, for readers; may be empty
 * @param startedMillis time when the search for the first document began
 * @param endedMillis time when the run ended or was suspended
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
