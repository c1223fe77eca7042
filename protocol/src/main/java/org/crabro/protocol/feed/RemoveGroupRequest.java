package org.crabro.protocol.feed;

import java.util.Optional;
import org.crabro.document.LocationKey;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Asks the owner of {@code partition} to remove all documents of a type in one group or number, in
 * all namespaces, in one operation. Documents that are written afterwards stay. The reply is a
 * {@link FeedReply}.
 *
 * @param group no {@link LocationKey.Plain}
 * @param id of a sender that may send the operation again
 */
public record RemoveGroupRequest(
        RequestHeader header,
        int partition,
        String documentType,
        LocationKey group,
        Optional<OperationId> id) {
    public RemoveGroupRequest {
        if (group instanceof LocationKey.Plain) {
            throw new IllegalArgumentException("no group to be removed");
        }
    }

    /** A request without an id. */
    public RemoveGroupRequest(
            RequestHeader header, int partition, String documentType, LocationKey group) {
        this(header, partition, documentType, group, Optional.empty());
    }

    /** Returns the same request with another header. */
    public RemoveGroupRequest with(RequestHeader other) {
        return new RemoveGroupRequest(other, partition, documentType, group, id);
    }

    /** Returns the same request with an id. */
    public RemoveGroupRequest with(OperationId other) {
        return new RemoveGroupRequest(header, partition, documentType, group, Optional.of(other));
    }
}
