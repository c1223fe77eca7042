package org.crabro.content.group;

import java.util.concurrent.atomic.AtomicLong;
import org.crabro.content.match.QueryRejectedException;

/** The memory that the groups of one search may take, of all threads together. */
public final class GroupBudget {
    private final AtomicLong used = new AtomicLong();
    private final long max;

    /**
     * @param max in bytes
     */
    public GroupBudget(long max) {
        this.max = max;
    }

    /**
     * Asks for more memory.
     *
     * @throws QueryRejectedException if there is none
     */
    void take(long bytes) {
        if (used.addAndGet(bytes) > max) {
            throw new QueryRejectedException(
                    ("the groups need more than %d bytes of memory, which is the limit of a query"
                                    + " (maxGroupingBytes): group by something with fewer values,"
                                    + " or search fewer documents")
                            .formatted(max));
        }
    }
}
