package org.crabro.client.feed;

import java.time.Duration;
import java.util.Arrays;

/**
 * Decides how many requests may wait for an answer at the same time, so that throughput is close to
 * the highest possible with few requests.
 *
 * <p>Sizes are a fixed ladder with two steps for each doubling. The window measures the throughput
 * of a step for an interval, then compares it with the neighboring steps:
 *
 * <ul>
 *   <li>A larger window is kept if it has clearly more throughput.
 *   <li>A smaller window is used if it has about as much as the best one.
 *   <li>Throughput of neighbors is measured again from time to time, because servers change.
 * </ul>
 *
 * <p>An answer that says that the server is busy halves the window, at most once in an interval.
 * Larger windows than that are then not tried for {@value #CAREFUL_INTERVALS} intervals. An
 * interval in which the window was never full is not measured: the caller was the limit.
 *
 * <p>It has no clock and no thread. Not thread-safe.
 */
final class SendWindow {
    static final int LARGEST_POSSIBLE = 1024;

    private static final long INTERVAL_NANOS = Duration.ofMillis(100).toNanos();
    private static final long LONG_INTERVAL_NANOS = Duration.ofSeconds(2).toNanos();

    /** The answers of an interval, as a multiple of the window, so that their rate is exact. */
    private static final int ANSWERS_PER_REQUEST = 4;

    private static final double CLEARLY_MORE = 1.05;
    private static final double ABOUT_AS_MUCH = 0.96;

    /** The weight of the newest rate of a step. */
    private static final double NEWEST = 0.5;

    /** Intervals at a step after which a neighbor is measured again. */
    private static final int EXPLORE_AFTER = 8;

    /** Intervals after a busy answer in which no larger window is tried. */
    private static final int CAREFUL_INTERVALS = 100;

    private final int[] sizes;
    private final double[] rates;

    /** The smallest step, except after busy answers. */
    private final int floor;

    private int step;
    private int stays;
    private boolean exploresUp = true;

    /** The largest step for a number of intervals. */
    private int ceiling;

    private int carefulIntervals;

    // The current interval.
    private long beginNanos;
    private boolean isBegun;
    private boolean isFull;
    private boolean isBusy;
    private long answers;
    private double weight;

    private SendWindow(int[] sizes, int step, int floor) {
        this.sizes = sizes;
        this.step = step;
        this.floor = floor;
        this.ceiling = sizes.length - 1;
        this.rates = new double[sizes.length];
    }

    /** Returns a window that never changes. */
    static SendWindow fixed(int size) {
        return new SendWindow(new int[] {size}, 0, 0);
    }

    /**
     * Returns a window that adapts.
     *
     * @param first the size before anything is measured
     * @param largest at least 1 and at most {@value #LARGEST_POSSIBLE}
     */
    static SendWindow adaptive(int first, int largest) {
        if (largest < 1 || largest > LARGEST_POSSIBLE) {
            throw new IllegalArgumentException(
                    "the largest window is %d, outside of 1 to %d"
                            .formatted(largest, LARGEST_POSSIBLE));
        }
        int[] sizes =
                java.util.stream.IntStream.rangeClosed(0, 20)
                        .map(i -> Math.toIntExact(Math.round(Math.pow(2, i / 2.0))))
                        .map(size -> Math.min(size, largest))
                        .distinct()
                        .toArray();
        return new SendWindow(sizes, step(sizes, first), 0);
    }

    /**
     * Returns a window that begins at its smallest size, and grows where that helps. It is below
     * that size only after busy answers.
     *
     * @param largest as above
     */
    static SendWindow growing(int first, int largest) {
        SendWindow window = adaptive(first, largest);
        return new SendWindow(window.sizes, window.step, window.step);
    }

    private static int step(int[] sizes, int first) {
        int step = 0;
        while (step + 1 < sizes.length && sizes[step + 1] <= first) {
            step++;
        }
        return step;
    }

    /** Returns the current size. */
    int size() {
        return sizes[step];
    }

    /** Records that a caller waits for a place in the window. */
    void filled() {
        isFull = true;
    }

    /**
     * Counts an answer.
     *
     * @param work what was done, in a unit of the caller
     */
    void answered(double work, long nowNanos) {
        if (sizes.length == 1) {
            return;
        }
        if (!isBegun) {
            begin(nowNanos);
            return;
        }
        answers++;
        weight += work;
        long elapsed = nowNanos - beginNanos;
        boolean isEnough =
                elapsed >= INTERVAL_NANOS && answers >= (long) ANSWERS_PER_REQUEST * size();
        if (isEnough || (elapsed >= LONG_INTERVAL_NANOS && answers >= size())) {
            if (isFull) {
                measured(weight / elapsed);
            }
            begin(nowNanos);
        }
    }

    /** Counts an answer that says that the server is busy. */
    void refused(long nowNanos) {
        if (isBusy || sizes.length == 1) {
            return;
        }
        step = Math.max(0, step - 2);
        ceiling = step;
        carefulIntervals = CAREFUL_INTERVALS;
        stays = 0;
        exploresUp = true;
        // Larger windows are measured again, one after another.
        Arrays.fill(rates, step, rates.length, 0);
        begin(nowNanos);
        isBusy = true;
    }

    private void begin(long nowNanos) {
        isBegun = true;
        beginNanos = nowNanos;
        isFull = false;
        isBusy = false;
        answers = 0;
        weight = 0;
    }

    private void measured(double rate) {
        rates[step] = rates[step] == 0 ? rate : NEWEST * rate + (1 - NEWEST) * rates[step];
        double best = Arrays.stream(rates).max().orElse(rate);
        if (carefulIntervals > 0 && --carefulIntervals == 0) {
            ceiling = sizes.length - 1;
        }
        if (step < floor && step < ceiling) {
            move(step + 1);
            return;
        }
        boolean hasUp = step < ceiling;
        boolean hasDown = step > floor;
        if (hasUp && (isUnknown(step + 1) || rates[step + 1] > CLEARLY_MORE * rates[step])) {
            move(step + 1);
        } else if (hasDown && rates[step - 1] > ABOUT_AS_MUCH * best) {
            move(step - 1);
        } else if (hasDown && rates[step] < ABOUT_AS_MUCH * best && isBestBelow(best)) {
            move(step - 1);
        } else if (++stays >= EXPLORE_AFTER) {
            explore(hasUp, hasDown);
        }
    }

    private boolean isUnknown(int other) {
        return rates[other] == 0;
    }

    private boolean isBestBelow(double best) {
        for (int i = 0; i < step; i++) {
            if (rates[i] == best) {
                return true;
            }
        }
        return false;
    }

    private void explore(boolean hasUp, boolean hasDown) {
        // What was measured far away or long ago counts no more.
        for (int i = 0; i < rates.length; i++) {
            if (Math.abs(i - step) > 1) {
                rates[i] = 0;
            }
        }
        exploresUp = !exploresUp;
        if (hasUp && (exploresUp || !hasDown)) {
            rates[step + 1] = 0;
            move(step + 1);
        } else if (hasDown) {
            rates[step - 1] = 0;
            move(step - 1);
        }
    }

    private void move(int to) {
        step = to;
        stays = 0;
    }
}
