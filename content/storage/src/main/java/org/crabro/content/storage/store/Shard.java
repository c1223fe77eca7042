package org.crabro.content.storage.store;

import java.util.List;
import org.crabro.content.storage.commit.Journal;

/**
 * Partitions that share a journal. Partition p of a node belongs to shard p mod n, where n is the
 * number of shards. A node without replicas has one shard.
 */
final class Shard {
    private final Journal journal;
    private final List<Partition> partitions;

    /**
     * @param journal makes the rows of the partitions durable, and orders them
     * @param partitions in the order of their numbers
     */
    Shard(Journal journal, List<Partition> partitions) {
        this.journal = journal;
        this.partitions = List.copyOf(partitions);
    }

    Journal journal() {
        return journal;
    }

    List<Partition> partitions() {
        return partitions;
    }

    /** Releases the records of the journal that are not needed any more. */
    void releaseJournal() {
        // Rows that are durable and not applied yet are recent in no partition. So read first the
        // applied position, and then the first recent rows.
        long needed = journal.applied() + 1;
        for (Partition partition : partitions) {
            needed = Math.min(needed, partition.firstRecent());
        }
        journal.release(needed - 1);
    }
}
