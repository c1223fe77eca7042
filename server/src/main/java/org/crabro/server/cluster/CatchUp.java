package org.crabro.server.cluster;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;

/**
 * Whether the replicas of a node have caught up with their leaders since each was started. Safe for
 * use by many threads.
 */
final class CatchUp {
    /** The shards whose replica is being replaced. */
    private final Set<Integer> replaced = ConcurrentHashMap.newKeySet();

    /** The number of replacements in the store for which the answer is yes; -1 for none. */
    private volatile long caughtUp = -1;

    /** Notes that the replica of a shard is replaced from now on. */
    void begin(int shard) {
        replaced.add(shard);
    }

    /** Notes that the replica of a shard was replaced. */
    void end(int shard) {
        replaced.remove(shard);
    }

    /**
     * Returns whether all replicas have caught up.
     *
     * @param replacements in the store, read before the call. They change between {@link #begin}
     *     and {@link #end}, so an answer does not hold for the next replica
     * @param hasCaughtUp returns whether the replica of a shard has. Once it has, it is not asked
     *     again
     */
    boolean isDone(long replacements, int shards, IntPredicate hasCaughtUp) {
        if (caughtUp == replacements) {
            return true;
        }
        if (shards == 0 || !replaced.isEmpty()) {
            return false;
        }
        for (int shard = 0; shard < shards; shard++) {
            if (!hasCaughtUp.test(shard)) {
                return false;
            }
        }
        caughtUp = replacements;
        return true;
    }
}
