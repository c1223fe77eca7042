package org.crabro.protocol.feed;

import org.crabro.document.LocationKey;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Asks the owner of {@code partition} to remove all documents of a type in one group or number, in
 * all namespaces, in one operation. Documents that are written afterwards stay. The reply is a
 * {@link FeedReply}.
 *
 * @param group no {@link LocationKey.Plain}
 */
public record RemoveGroupRequest(
        RequestHeader header, int partition, String documentType, LocationKey group) {
    public RemoveGroupRequest {
        if (group instanceof LocationKey.Plain) {
            throw new IllegalArgumentException("no group to be removed");
        }
    }

    /** Returns the same request with another header. */
    public RemoveGroupRequest with(RequestHeader other) {
        return new RemoveGroupRequest(other, partition, documentType, group);
    }
}
