package org.crabro.protocol.feed;

import java.util.List;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Asks the owner of some partitions to carry out many writes, none of which depends on what is
 * stored, together: they become durable by as few forces as can be. Those of one document are
 * carried out in their order. One may be carried out and another not.
 *
 * @param writes complete: indexing scripts have run
 */
public record FeedBatchRequest(RequestHeader header, List<EncodedWrite> writes) {
    public FeedBatchRequest {
        writes = List.copyOf(writes);
    }
}
