package org.crabro.content.recent;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.protocol.wire.Deadline;

/**
 * Locks by document id, striped, and locks by group in front of them: who writes a document shares
 * that of its group with others who do, who removes a group has it alone. So nothing that was read
 * of a document before its group was removed is written afterwards.
 *
 * <p>First come, first served, so operations on one id keep their order. A lock belongs to an
 * operation and not to a thread: it is released by whoever knows that the operation is over, also
 * when the one who asked for it waits no more.
 */
final class IdLocks {
    private static final int STRIPE_BITS = 13;
    private static final int STRIPES = 1 << STRIPE_BITS;

    /** What those who write documents of a group leave to each other. */
    private static final int SHARES = 1 << 30;

    /** Groups first: whoever takes several takes them in this order. */
    private final Semaphore[] stripes = new Semaphore[2 * STRIPES];

    IdLocks() {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Semaphore(SHARES, true);
            stripes[STRIPES + i] = new Semaphore(1, true);
        }
    }

    private static int stripe(DocumentId id) {
        return STRIPES + stripe(id.hashCode());
    }

    private static int stripe(String documentType, LocationKey group) {
        return stripe(31 * documentType.hashCode() + group.hashCode());
    }

    private static int stripe(int hash) {
        // Multiplied, so that all bits of a hash that is weak in some decide.
        return (int) ((hash * 0x9e37_79b9_7f4a_7c15L) >>> (Long.SIZE - STRIPE_BITS));
    }

    /** Waits for the locks of {@code id}; returns whether they are held now. */
    boolean lock(DocumentId id, Deadline deadline) {
        if (id.key() instanceof LocationKey.Plain) {
            return lock(stripe(id), 1, deadline);
        }
        int group = stripe(id.documentType(), id.key());
        if (!lock(group, 1, deadline)) {
            return false;
        }
        boolean isLocked = lock(stripe(id), 1, deadline);
        if (!isLocked) {
            stripes[group].release();
        }
        return isLocked;
    }

    /** Waits until nobody writes a document of a group; returns whether it is held now. */
    boolean lock(String documentType, LocationKey group, Deadline deadline) {
        return lock(stripe(documentType, group), SHARES, deadline);
    }

    void unlock(String documentType, LocationKey group) {
        stripes[stripe(documentType, group)].release(SHARES);
    }

    private boolean lock(int stripe, int permits, Deadline deadline) {
        try {
            // Nobody holds most of them: what time is left is asked where somebody does. Without
            // patience, too, it is first come, first served.
            return stripes[stripe].tryAcquire(permits, 0, TimeUnit.NANOSECONDS)
                    || stripes[stripe].tryAcquire(
                            permits, deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void unlock(DocumentId id) {
        stripes[stripe(id)].release();
        if (!(id.key() instanceof LocationKey.Plain)) {
            stripes[stripe(id.documentType(), id.key())].release();
        }
    }

    /** Returns what to lock for several ids at once: each stripe once, in the order of all. */
    static int[] stripes(List<DocumentId> ids) {
        var all = new int[2 * ids.size()];
        int count = 0;
        for (DocumentId id : ids) {
            all[count++] = stripe(id);
            if (!(id.key() instanceof LocationKey.Plain)) {
                all[count++] = stripe(id.documentType(), id.key());
            }
        }
        Arrays.sort(all, 0, count);
        int different = 0;
        for (int i = 0; i < count; i++) {
            if (i == 0 || all[i] != all[i - 1]) {
                all[different++] = all[i];
            }
        }
        return Arrays.copyOf(all, different);
    }

    /** Waits for the locks of all stripes; returns whether they are held now, or none is. */
    boolean lock(int[] sorted, Deadline deadline) {
        for (int i = 0; i < sorted.length; i++) {
            if (!lock(sorted[i], 1, deadline)) {
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
