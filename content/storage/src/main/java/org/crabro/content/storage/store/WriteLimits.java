package org.crabro.content.storage.store;

import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleSupplier;
import java.util.function.IntFunction;
import org.crabro.content.storage.admission.FeedBlock;
import org.crabro.content.storage.admission.FeedLimits;
import org.crabro.content.storage.admission.RowLimits;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.LocationKey;
import org.crabro.protocol.feed.WriteReply;

/**
 * Refuses writes at the limits of {@link FeedLimits}: the size of a document, the size of a group,
 * and how full disk and memory are.
 */
final class WriteLimits implements AutoCloseable {
    private final RowLimits rows;
    private final FeedBlock block;
    private final GroupSizes groups;
    private volatile IntFunction<Optional<String>> fullReplicas = _ -> Optional.empty();

    WriteLimits(RowLimits rows, FeedBlock block, GroupSizes groups) {
        this.rows = rows;
        this.block = block;
        this.groups = groups;
    }

    /**
     * @param memoryShare the share of the machine's memory that this process uses, 0 to 1, or NaN
     *     if it is unknown
     * @param isReplicated whether rows are entries of a log that replicas agree on
     */
    static WriteLimits of(
            LogFiles files,
            FeedLimits limits,
            InstantSource clock,
            DoubleSupplier memoryShare,
            boolean isReplicated) {
        return new WriteLimits(
                new RowLimits(limits.rowBytes(), Runtime.getRuntime().maxMemory(), isReplicated),
                new FeedBlock(files, limits, memoryShare),
                new GroupSizes(limits.groupBytes(), clock));
    }

    /** See {@link FeedBlock#limit}. */
    void limitFeed(OptionalDouble diskShare, OptionalDouble memoryShare) {
        block.limit(diskShare, memoryShare);
    }

    /**
     * Refuses puts to some partitions, from the next write on.
     *
     * @param reasons why, by the number of the partition
     */
    void refusePuts(IntFunction<Optional<String>> reasons) {
        fullReplicas = reasons;
    }

    /** See {@link RowLimits#set}. */
    void limitDocuments(Map<String, Integer> byType) {
        rows.set(byType);
    }

    /**
     * Returns why a row is refused; empty if it may be written.
     *
     * @param partition of {@code id}
     * @param length of the encoded row
     * @param mayGrow whether the row is refused if the disk is too full for documents
     */
    Optional<WriteReply> refusal(Partition partition, DocumentId id, int length, boolean mayGrow) {
        Optional<WriteReply> tooLarge = rows.refusal(id, length);
        if (tooLarge.isPresent()) {
            return tooLarge;
        }
        Optional<WriteReply> refusal =
                refusal(length, mayGrow).or(() -> ofReplicas(partition, mayGrow));
        return refusal.isPresent() || !mayGrow
                ? refusal
                : groups.refusal(partition, id, length).map(WriteReply.OutOfSpace::new);
    }

    /** See {@link RowLimits#refusal(DocumentId, byte[], DocumentType)}. */
    Optional<WriteReply> refusal(DocumentId id, byte[] row, DocumentType type) {
        return rows.refusal(id, row, type);
    }

    /** Returns why another replica has no room for a row. */
    private Optional<WriteReply> ofReplicas(Partition partition, boolean mayGrow) {
        return mayGrow
                ? fullReplicas.apply(partition.number()).map(WriteReply.OutOfSpace::new)
                : Optional.empty();
    }

    /** Returns why disk or memory has no room for a row; empty if both have. */
    Optional<WriteReply> refusal(int length, boolean mayGrow) {
        return block.refusal(length, !mayGrow).map(WriteReply.OutOfSpace::new);
    }

    /** Counts the size of a group again at its next put. */
    void groupRemoved(String documentType, LocationKey group) {
        groups.removed(documentType, group);
    }

    /** Returns why puts are refused now; empty while they are admitted. */
    Optional<String> blocked() {
        return block.blocked();
    }

    /** Returns why all writes are refused now, removes too; empty while they are admitted. */
    Optional<String> full() {
        return block.full();
    }

    @Override
    public void close() {
        groups.close();
    }
}
