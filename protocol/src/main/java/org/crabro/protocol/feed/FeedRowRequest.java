package org.crabro.protocol.feed;

import java.util.Optional;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Asks the owner of a partition to write one row if a condition is met.
 *
 * @param write a final row: indexing scripts have run
 * @param id of a sender that may send the operation again
 */
public record FeedRowRequest(
        RequestHeader header, ConditionalWrite write, Optional<OperationId> id) {
    /** A request without an id. */
    public FeedRowRequest(RequestHeader header, ConditionalWrite write) {
        this(header, write, Optional.empty());
    }

    /** Returns the same request with another header. */
    public FeedRowRequest with(RequestHeader other) {
        return new FeedRowRequest(other, write, id);
    }

    /** Returns the same request with an id. */
    public FeedRowRequest with(OperationId other) {
        return new FeedRowRequest(header, write, Optional.of(other));
    }
}
