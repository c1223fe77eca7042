package org.crabro.client.bench;

import java.util.concurrent.TimeUnit;

/** The clock of a run. */
interface LoadClock {
    /** The clock of the system. */
    LoadClock SYSTEM =
            new LoadClock() {
                @Override
                public long nanoTime() {
                    return System.nanoTime();
                }

                @Override
                public void sleepUntil(long nanoTime) throws InterruptedException {
                    long left = nanoTime - System.nanoTime();
                    if (left > 0) {
                        TimeUnit.NANOSECONDS.sleep(left);
                    }
                }
            };

    long nanoTime();

    /** Returns at once if the time has passed. */
    void sleepUntil(long nanoTime) throws InterruptedException;
}
