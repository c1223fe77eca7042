package org.crabro.content.integrity;

import java.time.Instant;

/** The time that passes while runs are checked: the system's, or a test's. */
interface ScrubTime {
    /** Returns nanoseconds since some moment. */
    long nanoTime();

    /** Returns the time of day. */
    Instant now();

    /** Waits, or less where {@link #end} was called; returns whether to go on. */
    boolean pause(long nanos) throws InterruptedException;

    /** Ends every pause, from now on. */
    void end();

    /** The system's. */
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
