package org.crabro.protocol.feed;

import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.WriteCondition;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Asks the owner of {@code partition} to carry out one operation.
 *
 * @param operation complete: indexing scripts have run
 * @param condition looked at together with the write, as one step
 * @param create see {@link ConditionalOperation}
 */
public record FeedRequest(
        RequestHeader header,
        int partition,
        DocumentOperation operation,
        WriteCondition condition,
        boolean create) {
    /** Asks for an operation in any case; for an update only where there is a document. */
    public FeedRequest(RequestHeader header, int partition, DocumentOperation operation) {
        this(header, partition, operation, WriteCondition.NONE, false);
    }

    /** Asks for an operation with its condition. */
    public FeedRequest(RequestHeader header, int partition, ConditionalOperation operation) {
        this(header, partition, operation.operation(), operation.condition(), operation.create());
    }
}
