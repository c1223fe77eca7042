package org.crabro.content.query;

import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * Counts the work of one thread on a query, and asks every {@link #UNITS} units whether the query
 * is to end. Loops over the parts of one value spend units here, so that a single long value cannot
 * outlast a deadline. For one thread.
 *
 * <p>A unit is work of about 1 to 5 ns in the worst case: a byte that is compared, a cell of a
 * table of edits, a state of a regular expression that a character is tried on. Between two
 * questions are at most about 5 ms.
 */
public final class WorkMeter implements IntConsumer {
    /** How many units are spent between two questions. */
    public static final int UNITS = 1 << 20;

    private BooleanSupplier isOver = () -> false;
    private int left = UNITS;
    private boolean isStopped;
    private long questions;
    private long spentBefore;
    private long largestGap;

    /**
     * Begins a pass.
     *
     * @param over asked whether the pass is to end
     */
    public void begin(BooleanSupplier over) {
        restart();
        isOver = over;
    }

    /**
     * Notes work that is about to be done.
     *
     * @param units not negative
     * @throws ScanStoppedException if the pass is to end
     */
    public void spend(int units) {
        left -= units;
        if (left < 0) {
            ask();
        }
    }

    /** Notes work as {@link #spend} does, of {@code count} times {@code units}. */
    public void spend(int count, int units) {
        spend((int) Math.min(Integer.MAX_VALUE, (long) count * units));
    }

    /** Returns whether work was stopped inside a row: then what it was done with is half done. */
    public boolean isStopped() {
        return isStopped;
    }

    /** Returns how often this has asked. */
    public long questions() {
        return questions;
    }

    /** Returns how many units were spent. */
    public long spent() {
        return spentBefore + UNITS - left;
    }

    /** Returns the most units that were spent between two questions. */
    public long largestGap() {
        return Math.max(largestGap, (long) UNITS - left);
    }

    @Override
    public void accept(int units) {
        spend(units);
    }

    private void restart() {
        largestGap = largestGap();
        spentBefore += (long) UNITS - left;
        left = UNITS;
    }

    private void ask() {
        restart();
        questions++;
        if (isOver.getAsBoolean()) {
            isStopped = true;
            throw new ScanStoppedException();
        }
    }
}
