package org.crabro.content.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Counts what a thread allocates while it scans, once over blocks of few rows and once over as many
 * blocks of many.
 *
 * <p>Loops that are not compiled yet make objects that compiled ones do not, and when they are
 * compiled is up to a machine that may be busy. So passes are repeated until one has allocated as
 * little as is asserted; objects that are really made per row are made by every pass. The build
 * runs classes that count in a virtual machine of their own, which waits for its compiler ({@code
 * -Xbatch}) and knows no profiles of other tests.
 *
 * @param moreRows how many rows more the many are
 * @param bytesPerRow what a row may allocate, less than this
 * @param bytesMax what a pass over the many may allocate
 * @param seed of the rows
 */
record ScanCost(long moreRows, double bytesPerRow, long bytesMax, long seed) {
    /** Passes that are not looked at: the first ones also load classes, and blocks are decoded. */
    private static final int WARM_UP = 40;

    /** What is still allocated after so many passes is taken for what compiled code allocates. */
    private static final int PASSES_MAX = 5_000;

    /** What may be measured for each row where none makes anything. */
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
