package org.crabro.protocol.feed;

import org.crabro.protocol.wire.RequestHeader;

/**
 * Asks the owner of a partition to write one row if a condition is met.
 *
 * @param write a final row: indexing scripts have run
 */
public record FeedRowRequest(RequestHeader header, ConditionalWrite write) {
    /** Returns the same request with another header. */
    public FeedRowRequest with(RequestHeader other) {
        return new FeedRowRequest(other, write);
    }
}
