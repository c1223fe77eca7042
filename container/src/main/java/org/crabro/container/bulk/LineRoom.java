package org.crabro.container.bulk;

/**
 * The bytes that one run has reserved for long lines and for omitted cells. Safe for use by many
 * threads.
 */
final class LineRoom implements AutoCloseable {
    private final BulkAdmission admission;
    private long taken;
    private boolean isClosed;

    LineRoom(BulkAdmission admission) {
        this.admission = admission;
    }

    /** Adds bytes that were reserved elsewhere, to be released here. */
    synchronized void tookBefore(long bytes) {
        taken += bytes;
    }

    /** Reserves {@code bytes}. Returns false if the bound is reached. */
    synchronized boolean tryTake(long bytes) {
        if (isClosed || !admission.tryReserve(bytes)) {
            return false;
        }
        taken += bytes;
        return true;
    }

    /** Releases some bytes. */
    synchronized void release(long bytes) {
        taken -= bytes;
        admission.release(bytes);
    }

    /** Releases all bytes. Later reservations fail. */
    @Override
    public synchronized void close() {
        isClosed = true;
        release(taken);
    }
}
