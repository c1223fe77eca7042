package org.crabro.content.storage.index;

import java.io.InterruptedIOException;
import java.util.function.BooleanSupplier;

/** Heap that several builds may take together. Thread-safe. */
public final class BuildMemory {
    /** A build that waits looks so often whether it has to end. */
    private static final long LOOK_MILLIS = 100;

    private final long total;

    // Guarded by this.
    private long taken;

    /**
     * @param total in bytes
     */
    public BuildMemory(long total) {
        this.total = total;
    }

    /** Returns the bytes that all builds may take together. */
    public long total() {
        return total;
    }

    /**
     * Takes bytes, after other builds have given back enough of theirs. A build takes bytes once,
     * so that builds do not wait for each other.
     *
     * @param wanted if it is more than the total, all of that is taken
     * @param isClosing ends the wait when it returns true
     * @return the bytes that were taken, to be {@link #giveBack given back}
     * @throws InterruptedIOException if {@code isClosing}
     */
    public synchronized long take(long wanted, BooleanSupplier isClosing)
            throws InterruptedIOException {
        long bytes = Math.min(wanted, total);
        while (taken + bytes > total) {
            if (isClosing.getAsBoolean()) {
                throw new InterruptedIOException("the node is closing");
            }
            try {
                wait(LOOK_MILLIS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while waiting for memory");
            }
        }
        taken += bytes;
        return bytes;
    }

    /** Gives bytes back that were taken. */
    public synchronized void giveBack(long bytes) {
        taken -= bytes;
        notifyAll();
    }
}
