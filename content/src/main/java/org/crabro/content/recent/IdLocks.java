package org.crabro.content.recent;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.crabro.document.DocumentId;
import org.crabro.protocol.wire.Deadline;

/**
 * Locks by document id, striped. First come, first served, so operations on one id keep their
 * order. A lock belongs to an operation and not to a thread: it is released by whoever knows that
 * the operation is over, also when the one who asked for it waits no more.
 */
final class IdLocks {
    private static final int STRIPES = 1 << 13;

    private final Semaphore[] stripes = new Semaphore[STRIPES];

    IdLocks() {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Semaphore(1, true);
        }
    }

    private Semaphore stripe(DocumentId id) {
        long hash = id.globalId().hash();
        return stripes[(int) (hash >>> Integer.SIZE) & (STRIPES - 1)];
    }

    /** Waits for the lock of {@code id}; returns whether it is held now. */
    boolean lock(DocumentId id, Deadline deadline) {
        Semaphore stripe = stripe(id);
        try {
            return stripe.tryAcquire(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void unlock(DocumentId id) {
        stripe(id).release();
    }
}
