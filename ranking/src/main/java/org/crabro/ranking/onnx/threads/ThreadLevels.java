package org.crabro.ranking.onnx.threads;

import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The levels of one model: the numbers of threads that its runs can have. They are 1, 2, 4 and so
 * on, and the maximum. All but the first are loaded when the policy asks for them. Only {@link
 * CorePolicy} changes the state, and its caller synchronizes.
 */
public final class ThreadLevels {
    /**
     * A run that takes less time on one thread always does: several threads would have to wait for
     * each other after every operation.
     */
    static final double WIDE_RUN_NANOS = 500e3;

    private final int[] threads;
    private final boolean[] loaded;

    /** The number of runs at each level. */
    private final int[] running;

    /** When a level without runs got its last first run, in nanoseconds. */
    private final long[] activeSince;

    private final LevelTimes times;
    private boolean isLoading;

    /**
     * @param threadsMax the threads of the highest level
     */
    ThreadLevels(int threadsMax) {
        if (threadsMax < 1) {
            throw new IllegalArgumentException(threadsMax + " threads");
        }
        this.threads =
                IntStream.concat(
                                IntStream.iterate(1, each -> each < threadsMax, each -> each * 2),
                                IntStream.of(threadsMax))
                        .toArray();
        this.loaded = new boolean[threads.length];
        this.running = new int[threads.length];
        this.activeSince = new long[threads.length];
        this.times = new LevelTimes(threads.length);
        loaded[0] = true;
    }

    /** Returns how many levels there are. */
    public int count() {
        return threads.length;
    }

    /** Returns the number of threads of a level. */
    public int threads(int level) {
        return threads[level];
    }

    int running(int level) {
        return running[level];
    }

    boolean isLoaded(int level) {
        return loaded[level];
    }

    LevelTimes times() {
        return times;
    }

    /** Returns how many threads a further run at a level needs. Runs of a level share its pool. */
    int cost(int level) {
        return running[level] == 0 ? threads[level] : 1;
    }

    void begin(int level, long now) {
        if (running[level] == 0) {
            activeSince[level] = now;
        }
        running[level]++;
    }

    /** Returns when the first of the runs at a level that has runs started. */
    long activeSince(int level) {
        return activeSince[level];
    }

    /** Returns whether runs with several threads are in progress. */
    boolean isWide() {
        for (int level = 1; level < running.length; level++) {
            if (running[level] > 0) {
                return true;
            }
        }
        return false;
    }

    /** Ends a run and returns how many threads that frees. */
    int end(int level) {
        running[level]--;
        return cost(level);
    }

    /** Returns whether runs take less than {@link #WIDE_RUN_NANOS} on one thread. */
    boolean isShort(long size) {
        return times.isMeasuredAt(size, 0) && times.nanos(size, 0) < WIDE_RUN_NANOS;
    }

    void loading() {
        isLoading = true;
    }

    void loaded(int level) {
        isLoading = false;
        loaded[level] = true;
    }

    /**
     * Returns the level that should be loaded; empty if none. The highest fitting level comes
     * first, then the next lower ones, until a lower level is slower.
     *
     * @param fits tells whether the current load permits a level
     */
    OptionalInt wanted(long size, IntPredicate fits) {
        if (isLoading || !times.isMeasuredAt(size, 0) || isShort(size) || threads.length == 1) {
            return OptionalInt.empty();
        }
        double alone = times.nanos(size, 0);
        double higher = Double.POSITIVE_INFINITY;
        for (int level = threads.length - 1; level > 0; level--) {
            if (!fits.test(level)) {
                continue;
            }
            if (!loaded[level]) {
                return OptionalInt.of(level);
            }
            if (!times.isMeasuredAt(size, level)) {
                return OptionalInt.empty();
            }
            double here = times.nanos(size, level);
            if (higher < LevelTimes.GAIN * alone && higher <= here) {
                return OptionalInt.empty();
            }
            higher = here;
        }
        return OptionalInt.empty();
    }
}
