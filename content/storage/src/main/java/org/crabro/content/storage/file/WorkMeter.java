package org.crabro.content.storage.file;

import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * Counts the work of one thread on a query, and checks after every {@link #UNITS} units whether the
 * query must end. Loops over the parts of one value count units here, so that a single long value
 * cannot outlast a deadline. For one thread.
 *
 * <p>A unit is work of about 1 to 5 ns in the worst case: comparing a byte, computing a cell of a
 * table of edits, trying a state of a regular expression on a character. So there are at most about
 * 5 ms between two checks.
 */
public final class WorkMeter implements IntConsumer {
    /** The number of units between two checks. */
    public static final int UNITS = 1 << 20;

    private BooleanSupplier isOver = () -> false;
    private int left = UNITS;
    private boolean isStopped;
    private long questions;
    private long spentBefore;
    private long largestGap;

    /**
     * Starts a pass.
     *
     * @param over returns whether the pass must end
     */
    public void begin(BooleanSupplier over) {
        restart();
        isOver = over;
    }

    /**
     * Counts work before it is done.
     *
     * @param units not negative
     * @throws ScanStoppedException if the pass must end
     */
    public void spend(int units) {
        left -= units;
        if (left < 0) {
            ask();
        }
    }

    /** Counts work like {@link #spend}: {@code count} times {@code units}. */
    public void spend(int count, int units) {
        spend((int) Math.min(Integer.MAX_VALUE, (long) count * units));
    }

    /**
     * Returns whether work was stopped inside a row, so that objects in use may be in an incomplete
     * state.
     */
    public boolean isStopped() {
        return isStopped;
    }

    /** Returns the number of checks. */
    public long questions() {
        return questions;
    }

    /** Returns the number of units spent. */
    public long spent() {
        return spentBefore + UNITS - left;
    }

    /** Returns the largest number of units between two checks. */
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
