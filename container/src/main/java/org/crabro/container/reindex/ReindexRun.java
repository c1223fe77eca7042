package org.crabro.container.reindex;

import java.util.OptionalLong;

/**
 * One run that processes all documents of a type with their scripts.
 *
 * @param message the result, for readers; may be empty
 * @param startedMillis time when the search for the first document began
 * @param endedMillis time when the run ended or was suspended
 */
public record ReindexRun(
        Request request,
        ReindexState state,
        String message,
        OptionalLong startedMillis,
        OptionalLong endedMillis,
        ReindexPlace place) {
    /** The highest speed. */
    public static final double SPEED_MAX = 10;

    /**
     * The request for a run.
     *
     * @param number unique among the runs of a type, during the life of the process
     * @param readyMillis time of the request, since 1970
     * @param speed above 0, at most {@value #SPEED_MAX}; 0 while the run is paused
     * @param cause the reason, for readers
     */
    public record Request(long number, long readyMillis, double speed, String cause) {
        public Request {
            if (!(speed >= 0 && speed <= SPEED_MAX)) {
                throw new IllegalArgumentException("speed is " + speed);
            }
        }
    }

    /** Returns a run that has not started. */
    static ReindexRun ready(long number, long nowMillis, double speed, String cause) {
        return new ReindexRun(
                new Request(number, nowMillis, speed, cause),
                ReindexState.PENDING,
                "",
                OptionalLong.empty(),
                OptionalLong.empty(),
                ReindexPlace.begin(0));
    }

    long number() {
        return request.number;
    }

    ReindexRun withSpeed(double other) {
        return new ReindexRun(
                new Request(request.number, request.readyMillis, other, request.cause),
                state,
                message,
                startedMillis,
                endedMillis,
                place);
    }

    ReindexRun withMessage(String other) {
        return new ReindexRun(request, state, other, startedMillis, endedMillis, place);
    }

    ReindexRun started(long nowMillis, int partitions) {
        return new ReindexRun(
                request,
                ReindexState.RUNNING,
                "",
                OptionalLong.of(nowMillis),
                OptionalLong.empty(),
                ReindexPlace.begin(partitions));
    }

    /** Returns this run after further progress; a suspended run continues. */
    ReindexRun at(ReindexPlace further, String other) {
        return new ReindexRun(
                request, ReindexState.RUNNING, other, startedMillis, OptionalLong.empty(), further);
    }

    ReindexRun ended(ReindexState end, String other, long nowMillis) {
        return new ReindexRun(
                request, end, other, startedMillis, OptionalLong.of(nowMillis), place);
    }
}
