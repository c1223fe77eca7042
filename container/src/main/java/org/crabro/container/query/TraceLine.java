package org.crabro.container.query;

/**
 * A line that tells people how a query went.
 *
 * @param nanos when it was told, on the scale of {@link System#nanoTime()}
 */
public record TraceLine(long nanos, String message) {
    /** Returns a line of this moment. */
    public static TraceLine now(String message) {
        return new TraceLine(System.nanoTime(), message);
    }
}
