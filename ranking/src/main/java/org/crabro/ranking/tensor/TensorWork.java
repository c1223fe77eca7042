package org.crabro.ranking.tensor;

import java.util.function.IntConsumer;

/**
 * How operations report their work before they do it, in units of 1 to 5 ns. The consumer of the
 * units may throw, which ends the operation. Between two reports is at most the work of {@value
 * #SLICE} cells.
 */
public final class TensorWork {
    /** Ignores the reports. */
    public static final IntConsumer UNLIMITED = _ -> {};

    /** The units of a subspace whose labels are copied or looked up. */
    public static final int SUBSPACE_UNITS = 32;

    /** The units of a cell that is computed by a function. */
    static final int CELL_UNITS = 4;

    /** Loops report their work once per this number of cells. */
    static final int SLICE = 1 << 16;

    private TensorWork() {}

    /** Reports {@code count} times {@code units}, which may be more than an {@code int} holds. */
    public static void report(IntConsumer work, long count, long units) {
        work.accept((int) Math.min(Integer.MAX_VALUE, count * units));
    }

    /** Reports the next slice of cells that begins at {@code from}, and returns its end. */
    public static int slice(IntConsumer work, int from, int end) {
        int to = Math.min(end, from + SLICE);
        work.accept((to - from) * CELL_UNITS);
        return to;
    }
}
