package org.crabro.content.storage.store;

import java.util.AbstractList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The partitions of a store, by number. A node that gets a replica, or loses one, replaces its
 * partitions; between the two, the closed ones stay in the list. Thread-safe.
 */
final class PartitionTable extends AbstractList<Partition> {
    private final AtomicReferenceArray<Partition> partitions;
    private final AtomicLong changes = new AtomicLong();

    PartitionTable(List<Partition> partitions) {
        this.partitions = new AtomicReferenceArray<>(partitions.toArray(new Partition[0]));
    }

    @Override
    public Partition get(int number) {
        return partitions.get(number);
    }

    @Override
    public int size() {
        return partitions.length();
    }

    /** Replaces the partition of the same number. */
    void replace(Partition other) {
        partitions.set(other.number(), other);
    }

    /** Notes that partitions are about to be closed or have been replaced. */
    void noteChange() {
        changes.incrementAndGet();
    }

    /** Returns a number that changes whenever partitions are closed or replaced. */
    long changes() {
        return changes.get();
    }
}
