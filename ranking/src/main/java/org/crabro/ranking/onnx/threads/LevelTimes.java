package org.crabro.ranking.onnx.threads;

import java.util.function.IntPredicate;

/**
 * The measured run times of a model at each of its levels, by the size of the input. Not
 * thread-safe.
 *
 * <p>Other work of the machine makes runs slower and never faster. An estimate therefore follows
 * faster runs at once and slower ones slowly. All runs of a level may have been slower at its
 * estimate, so a higher level than the best one is tried again from time to time.
 */
final class LevelTimes {
    /** The number of runs after which an estimate is used. */
    static final int SAMPLES = 3;

    /** A higher level is used if its runs take less than this share of the time. */
    static final double GAIN = 0.9;

    /** A higher level than the best one is tried again after so many decisions. */
    static final int RETRY = 256;

    /** The weight of a slower run. */
    private static final double SLOWER = 1.0 / 16;

    /** Inputs with the same number of binary digits of their size share estimates. */
    private static final int SIZES = Long.SIZE + 1;

    private final int levels;
    private final double[] nanosPerCell;
    private final int[] samples;

    /** How often a lower level was better since a level was tried. */
    private final int[] left;

    /**
     * @param levels how many there are
     */
    LevelTimes(int levels) {
        this.levels = levels;
        this.nanosPerCell = new double[SIZES * levels];
        this.samples = new int[SIZES * levels];
        this.left = new int[SIZES * levels];
    }

    /** Adds a run of an input of {@code size} cells. */
    void add(long size, int level, double nanos) {
        int at = at(size, level);
        double value = nanos / Math.max(1, size);
        double average = nanosPerCell[at];
        nanosPerCell[at] =
                samples[at] == 0 || value < average ? value : average + (value - average) * SLOWER;
        samples[at] = Math.min(samples[at] + 1, SAMPLES);
    }

    /** Returns whether there are enough runs for an estimate. */
    boolean isMeasuredAt(long size, int level) {
        return samples[at(size, level)] == SAMPLES;
    }

    /** Returns the estimated time of a run in nanoseconds; meaningful if it is known. */
    double nanos(long size, int level) {
        return nanosPerCell[at(size, level)] * Math.max(1, size);
    }

    /**
     * Returns the level for an input: the lowest possible one that is not known, otherwise the one
     * with the shortest runs. A higher level must be shorter by a tenth, and is returned once in
     * {@link #RETRY} calls if it is not.
     *
     * @param isPossible tells whether a level can be used now
     * @return -1 if none is possible
     */
    int best(long size, IntPredicate isPossible) {
        int best = -1;
        for (int level = 0; level < levels; level++) {
            if (!isPossible.test(level)) {
                continue;
            }
            if (!isMeasuredAt(size, level)) {
                return level;
            }
            if (best < 0 || nanos(size, level) < GAIN * nanos(size, best)) {
                best = level;
                continue;
            }
            int at = at(size, level);
            left[at]++;
            if (left[at] >= RETRY) {
                left[at] = 0;
                return level;
            }
        }
        return best;
    }

    private int at(long size, int level) {
        return (Long.SIZE - Long.numberOfLeadingZeros(size)) * levels + level;
    }
}
