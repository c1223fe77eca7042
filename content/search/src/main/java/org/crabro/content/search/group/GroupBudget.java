package org.crabro.content.search.group;

import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.document.memory.MemoryShare;
import org.crabro.document.memory.ValueMeter;

/**
 * The memory limit for the groups of one search, over all its threads. The budget draws from the
 * memory of all searches and returns it when it is closed. The memory of the request that the
 * constructing thread executes is charged, too.
 */
public final class GroupBudget implements AutoCloseable {
    /** The number of bytes drawn at a time. */
    static final long CHUNK = 1 << 20;

    private final GroupMemory shared;
    private final long max;

    // Guarded by this.
    private long used;
    private long drawn;

    /** Not released at the end of the search: its answer has the groups. */
    private final ValueMeter memory = ValueMeter.withoutWaiting(MemoryShare.current());

    /**
     * @param max in bytes
     * @param shared by all searches
     */
    public GroupBudget(long max, GroupMemory shared) {
        this.max = max;
        this.shared = shared;
    }

    /**
     * Reserves memory.
     *
     * @throws QueryRejectedException if the limit of the search is exceeded
     * @throws GroupMemoryFullException if the limit of all searches is exceeded
     * @throws org.crabro.document.memory.MemoryRefusedException if other requests have the memory
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
        memory.add(bytes);
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
