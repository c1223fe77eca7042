package org.crabro.content.storage.commit;

/** The journals of a node, one for each of its shards. */
public interface ShardJournals {
    /** Returns the number of shards, at least 1 and at most the number of partitions. */
    int count();

    /**
     * Returns whether this node has a replica of a shard, whose journal is started when the store
     * is opened.
     */
    default boolean isHere(int shard) {
        return true;
    }

    /**
     * Starts the journal of a shard.
     *
     * @param shard from 0
     * @param applier receives the rows of its partitions. A partition skips rows up to the position
     *     that its runs cover, so a journal may begin with rows that it passed to an earlier
     *     process.
     */
    Journal start(int shard, Journal.Applier applier);
}
