package org.crabro.protocol.feed;

import java.util.Optional;
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
 * @param id of a sender that may send the operation again
 */
public record FeedRequest(
        RequestHeader header,
        int partition,
        DocumentOperation operation,
        WriteCondition condition,
        boolean create,
        Optional<OperationId> id) {
    /** An unconditional operation; an update requires that the document exists. */
    public FeedRequest(RequestHeader header, int partition, DocumentOperation operation) {
        this(header, partition, operation, WriteCondition.NONE, false);
    }

    /** A request without an id. */
    public FeedRequest(
            RequestHeader header,
            int partition,
            DocumentOperation operation,
            WriteCondition condition,
            boolean create) {
        this(header, partition, operation, condition, create, Optional.empty());
    }

    /** An operation with its condition. */
    public FeedRequest(RequestHeader header, int partition, ConditionalOperation operation) {
        this(header, partition, operation.operation(), operation.condition(), operation.create());
    }

    /** Returns the same request with another header. */
    public FeedRequest with(RequestHeader other) {
        return new FeedRequest(other, partition, operation, condition, create, id);
    }

    /** Returns the same request with an id. */
    public FeedRequest with(OperationId other) {
        return new FeedRequest(header, partition, operation, condition, create, Optional.of(other));
    }
}
