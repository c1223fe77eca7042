package org.crabro.content.recent;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.protocol.wire.Deadline;

/**
 * Locks by group, striped: who writes a document shares that of its group with others who do, who
 * removes a group has it alone. So nothing that was proposed before its group was removed is
 * applied afterwards. Documents of no group need none.
 *
 * <p>A document has no lock of its own: a write reads nothing, so writers need not wait for each
 * other, and the journal tells which of them was first.
 *
 * <p>First come, first served. A lock belongs to an operation and not to a thread: it is released
 * by whoever knows that the operation is over, also when the one who asked for it waits no more.
 */
final class GroupLocks {
    private static final int STRIPE_BITS = 13;
    private static final int NO_STRIPE = -1;

    /** What those who write documents of a group leave to each other. */
    private static final int SHARES = 1 << 30;

    private final Semaphore[] stripes = new Semaphore[1 << STRIPE_BITS];

    GroupLocks() {
        Arrays.setAll(stripes, _ -> new Semaphore(SHARES, true));
    }

    private static int stripe(DocumentId id) {
        return id.key() instanceof LocationKey.Plain
                ? NO_STRIPE
                : stripe(id.documentType(), id.key());
    }

    private static int stripe(String documentType, LocationKey group) {
        int hash = 31 * documentType.hashCode() + group.hashCode();
        // Multiplied, so that all bits of a hash that is weak in some decide.
        return (int) ((hash * 0x9e37_79b9_7f4a_7c15L) >>> (Long.SIZE - STRIPE_BITS));
    }

    /** Waits until the group of {@code id} is not removed; returns whether it is shared now. */
    boolean share(DocumentId id, Deadline deadline) {
        int stripe = stripe(id);
        return stripe == NO_STRIPE || lock(stripe, 1, deadline);
    }

    void unshare(DocumentId id) {
        int stripe = stripe(id);
        if (stripe != NO_STRIPE) {
            stripes[stripe].release();
        }
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

    /** Returns what to share for several ids at once: each stripe once, in the order of all. */
    static int[] stripes(List<DocumentId> ids) {
        return ids.stream()
                .mapToInt(GroupLocks::stripe)
                .filter(stripe -> stripe != NO_STRIPE)
                .sorted()
                .distinct()
                .toArray();
    }

    /** Waits until no group of the stripes is removed; returns whether all are shared, or none. */
    boolean share(int[] sorted, Deadline deadline) {
        for (int i = 0; i < sorted.length; i++) {
            if (!lock(sorted[i], 1, deadline)) {
                unshare(sorted, i);
                return false;
            }
        }
        return true;
    }

    void unshare(int[] shared) {
        unshare(shared, shared.length);
    }

    private void unshare(int[] shared, int count) {
        for (int i = 0; i < count; i++) {
            stripes[shared[i]].release();
        }
    }
}
