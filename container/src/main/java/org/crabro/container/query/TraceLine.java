package org.crabro.container.query;

/**
 * A line of the trace of a query.
 *
 * @param nanos when it was written, on the scale of {@link System#nanoTime()}
 */
public record TraceLine(long nanos, String message) {
    /** Returns a line with the present time. */
    public static TraceLine now(String message) {
        return new TraceLine(System.nanoTime(), message);
    }
}
