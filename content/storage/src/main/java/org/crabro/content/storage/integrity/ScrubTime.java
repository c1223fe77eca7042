package org.crabro.content.storage.integrity;

import java.time.Instant;

/** The clock of the scrubber: the system's, or a test's. */
interface ScrubTime {
    /** Returns nanoseconds since an arbitrary moment. */
    long nanoTime();

    /** Returns the current time. */
    Instant now();

    /** Waits, or returns early if {@link #end} was called; returns whether to continue. */
    boolean pause(long nanos) throws InterruptedException;

    /** Ends every pause, from now on. */
    void end();

    /** The clock of the system. */
    final class OfSystem implements ScrubTime {
        private boolean isOver;

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.now();
        }

        @Override
        public synchronized boolean pause(long nanos) throws InterruptedException {
            long end = System.nanoTime() + nanos;
            long left = nanos;
            while (!isOver && left > 0) {
                wait(left / 1_000_000, (int) (left % 1_000_000));
                left = end - System.nanoTime();
            }
            return !isOver;
        }

        @Override
        public synchronized void end() {
            isOver = true;
            notifyAll();
        }
    }
}
