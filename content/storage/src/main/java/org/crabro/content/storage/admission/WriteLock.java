package org.crabro.content.storage.admission;

import org.crabro.protocol.wire.Deadline;

/**
 * The locks of a write, from before it reads until its rows are applied, or will never be. They
 * belong to a write and not to a thread: another thread may release them.
 */
public interface WriteLock {
    /** Waits for the lock until {@code deadline}; returns whether it is held now. */
    boolean acquire(Deadline deadline);

    /** Releases the lock, once for each time that it was acquired. */
    void release();
}
