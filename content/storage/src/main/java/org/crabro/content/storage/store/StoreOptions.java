package org.crabro.content.storage.store;

import java.time.InstantSource;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import org.crabro.content.storage.commit.ShardJournals;

/**
 * How a {@link DocumentStore} is opened.
 *
 * @param partitions how many, 1 to 65,536, the same whenever the same files are opened
 * @param clock the time of writes and flushes
 * @param memoryShare the share of the machine's memory that this process uses, 0 to 1, or NaN if it
 *     is unknown
 * @param journals replicate the rows of the shards of a node with replicas; empty for a node
 *     without
 */
public record StoreOptions(
        int partitions,
        RecentSettings settings,
        InstantSource clock,
        DoubleSupplier memoryShare,
        Optional<ShardJournals> journals) {
    /** Options of a store without replicas, whose writes are not limited by the memory in use. */
    public static StoreOptions of(int partitions, RecentSettings settings, InstantSource clock) {
        return new StoreOptions(partitions, settings, clock, () -> 0, Optional.empty());
    }

    /** Returns the same options with another share of the memory. */
    public StoreOptions with(DoubleSupplier share) {
        return new StoreOptions(partitions, settings, clock, share, journals);
    }

    /** Returns the same options for a node with replicas. */
    public StoreOptions with(ShardJournals replicated) {
        return new StoreOptions(partitions, settings, clock, memoryShare, Optional.of(replicated));
    }
}
