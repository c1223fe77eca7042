package org.crabro.content.recent;

import java.util.List;
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
    private static final int STRIPE_BITS = 13;
    private static final int STRIPES = 1 << STRIPE_BITS;

    private final Semaphore[] stripes = new Semaphore[STRIPES];

    IdLocks() {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Semaphore(1, true);
        }
    }

    private static int stripe(DocumentId id) {
        // Multiplied, so that all bits of a hash that is weak in some decide.
        return (int) ((id.hashCode() * 0x9e37_79b9_7f4a_7c15L) >>> (Long.SIZE - STRIPE_BITS));
    }

    /** Waits for the lock of {@code id}; returns whether it is held now. */
    boolean lock(DocumentId id, Deadline deadline) {
        return lock(stripe(id), deadline);
    }

    private boolean lock(int stripe, Deadline deadline) {
        try {
            return stripes[stripe].tryAcquire(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void unlock(DocumentId id) {
        stripes[stripe(id)].release();
    }

    /** Returns what to lock for several ids at once: each stripe once, in the order of all. */
    static int[] stripes(List<DocumentId> ids) {
        return ids.stream().mapToInt(IdLocks::stripe).sorted().distinct().toArray();
    }

    /** Waits for the locks of all stripes; returns whether they are held now, or none is. */
    boolean lock(int[] sorted, Deadline deadline) {
        for (int i = 0; i < sorted.length; i++) {
            if (!lock(sorted[i], deadline)) {
                unlock(sorted, i);
                return false;
            }
        }
        return true;
    }

    void unlock(int[] locked) {
        unlock(locked, locked.length);
    }

    private void unlock(int[] locked, int count) {
        for (int i = 0; i < count; i++) {
            stripes[locked[i]].release();
        }
    }
}
