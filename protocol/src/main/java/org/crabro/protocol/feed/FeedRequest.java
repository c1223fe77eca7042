package org.crabro.protocol.feed;

import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.WriteCondition;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Asks the owner of {@code partition} to execute one operation.
 *
 * @param operation final: indexing scripts have run
 * @param condition checked atomically with the write
 * @param create see {@link ConditionalOperation}
 */
public record FeedRequest(
        RequestHeader header,
        int partition,
        DocumentOperation operation,
        WriteCondition condition,
        boolean create) {
    /** An unconditional operation; an update requires that the document exists. */
    public FeedRequest(RequestHeader header, int partition, DocumentOperation operation) {
        this(header, partition, operation, WriteCondition.NONE, false);
    }

    /** An operation with its condition. */
    public FeedRequest(RequestHeader header, int partition, ConditionalOperation operation) {
        this(header, partition, operation.operation(), operation.condition(), operation.create());
    }

    /** Returns the same request with another header. */
    public FeedRequest with(RequestHeader other) {
        return new FeedRequest(other, partition, operation, condition, create);
    }
}
