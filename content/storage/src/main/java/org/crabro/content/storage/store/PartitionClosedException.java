package org.crabro.content.storage.store;

/** Thrown to readers of a partition whose files are being replaced, or whose store is closed. */
public final class PartitionClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    PartitionClosedException(int partition) {
        super("partition %d is closed".formatted(partition));
    }
}
