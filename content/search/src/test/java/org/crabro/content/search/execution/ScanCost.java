package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Counts the bytes that a thread allocates in a scan, once over blocks of few rows and once over as
 * many blocks of many rows.
 *
 * <p>Loops that are not compiled yet allocate objects that compiled loops do not. A busy machine
 * compiles them late. So passes are repeated until one has allocated as little as asserted. Objects
 * that a scan makes per row are made by every pass. The build runs these tests in a virtual machine
 * of their own, which waits for its compiler ({@code -Xbatch}) and has no profiles of other tests.
 *
 * @param moreRows how many more rows the large blocks have
 * @param bytesPerRow the bytes that a row may allocate, exclusive
 * @param bytesMax the bytes that a pass over the large blocks may allocate
 * @param seed the seed of the rows
 */
record ScanCost(long moreRows, double bytesPerRow, long bytesMax, long seed) {
    /** Passes that are not measured: the first ones also load classes and decode blocks. */
    private static final int WARM_UP = 40;

    /** The number of passes after which the code counts as compiled. */
    private static final int PASSES_MAX = 5_000;

    /** The bytes per row that may be measured if no row allocates anything. */
    static final double NOTHING = 0.1;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Runs both passes in turn until the least that each allocated is as little as it must be. */
    void assertHolds(String what, Runnable few, Runnable many) {
        for (int i = 0; i < WARM_UP; i++) {
            many.run();
            few.run();
        }
        var least = new Least(allocated(few), allocated(many));
        for (int i = 0; i < PASSES_MAX && !isOfBlocksOnly(least); i++) {
            least =
                    new Least(
                            Math.min(least.few(), allocated(few)),
                            Math.min(least.many(), allocated(many)));
        }

        assertThat(least)
                .as("%s, seed %d", what, seed)
                .matches(this::isOfBlocksOnly, "costs bytes per block only");
    }

    private static long allocated(Runnable pass) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        pass.run();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    /** Bytes that a pass over blocks of few rows, and of many, allocates. */
    private record Least(long few, long many) {}

    private boolean isOfBlocksOnly(Least least) {
        double perRow = (double) (least.many() - least.few()) / moreRows;
        return perRow < bytesPerRow && least.many() < bytesMax;
    }
}
