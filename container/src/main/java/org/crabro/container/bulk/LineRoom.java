package org.crabro.container.bulk;

/**
 * What one run has taken of the room for long lines and for cells that lines leave out, and not
 * given back. For any number of threads.
 */
final class LineRoom implements AutoCloseable {
    private final BulkAdmission admission;
    private long taken;
    private boolean isClosed;

    LineRoom(BulkAdmission admission) {
        this.admission = admission;
    }

    /** Says that so much was taken already, to be given back here. */
    synchronized void tookBefore(long bytes) {
        taken += bytes;
    }

    /** Returns whether there is room for {@code bytes} more; then it is taken. */
    synchronized boolean tryTake(long bytes) {
        if (isClosed || !admission.tryReserve(bytes)) {
            return false;
        }
        taken += bytes;
        return true;
    }

    /** Gives some back. */
    synchronized void release(long bytes) {
        taken -= bytes;
        admission.release(bytes);
    }

    /** Gives all back; lines that are still being read find none any more. */
    @Override
    public synchronized void close() {
        isClosed = true;
        release(taken);
    }
}
