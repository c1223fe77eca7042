package org.crabro.content.group;

import org.crabro.content.query.QueryRejectedException;

/**
 * The memory that the groups of one search may take, of all threads together. It draws from what
 * all searches share, and gives all of that back when it is closed.
 */
public final class GroupBudget implements AutoCloseable {
    /** How much is drawn at a time. */
    static final long CHUNK = 1 << 20;

    private final GroupMemory shared;
    private final long max;

    // Guarded by this.
    private long used;
    private long drawn;

    /**
     * @param max in bytes
     * @param shared by all searches
     */
    public GroupBudget(long max, GroupMemory shared) {
        this.max = max;
        this.shared = shared;
    }

    /**
     * Asks for more memory.
     *
     * @throws QueryRejectedException if the search may not have it
     * @throws GroupMemoryFullException if other searches have it
     */
    synchronized void take(long bytes) {
        used += bytes;
        if (used > max) {
            throw new QueryRejectedException(
                    ("the groups need more than %d bytes of memory, which is the limit of a query"
                                    + " (maxGroupingBytes): group by something with fewer values,"
                                    + " or search fewer documents")
                            .formatted(max));
        }
        long missing = used - drawn;
        if (missing > 0) {
            long chunks = (missing + CHUNK - 1) / CHUNK * CHUNK;
            if (!shared.tryTake(chunks)) {
                throw new GroupMemoryFullException(shared.max());
            }
            drawn += chunks;
        }
    }

    @Override
    public synchronized void close() {
        shared.giveBack(drawn);
        drawn = 0;
        used = 0;
    }
}
