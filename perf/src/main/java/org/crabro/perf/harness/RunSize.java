package org.crabro.perf.harness;

/**
 * How much a scoreboard measures.
 *
 * @param isQuick whether the run takes minutes instead of half an hour
 */
public record RunSize(boolean isQuick) {
    /** The number of clients of each measurement. */
    public static final int CLIENTS = 2;

    /** Returns the seconds of a measurement. */
    public double seconds() {
        return isQuick ? 1.5 : 10;
    }

    /** Returns the seconds before it, in which the compiler works. */
    public double warmUpSeconds() {
        return isQuick ? 3 : 10;
    }

    /** Returns the one or the other number of documents. */
    public int of(int quick, int full) {
        return Scale.of(isQuick ? quick : full);
    }
}
