package org.crabro.protocol.feed;

import java.util.Optional;
import org.crabro.document.DocumentId;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Asks for the latest version of a document.
 *
 * @param atLeast a position that the node must have reached
 */
public record GetRequest(
        RequestHeader header, int partition, DocumentId id, Optional<PartitionPosition> atLeast) {
    /** Returns the same request with another header. */
    public GetRequest with(RequestHeader other) {
        return new GetRequest(other, partition, id, atLeast);
    }
}
