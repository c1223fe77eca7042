package org.crabro.protocol.feed;

import java.util.List;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Asks the owner of some partitions to execute many unconditional writes together, with as few
 * forces as possible. Writes of the same document are executed in order. Each write succeeds or
 * fails by itself.
 *
 * @param writes final rows: indexing scripts have run
 */
public record FeedBatchRequest(RequestHeader header, List<EncodedWrite> writes) {
    public FeedBatchRequest {
        writes = List.copyOf(writes);
    }

    /** Returns the same request with another header. */
    public FeedBatchRequest with(RequestHeader other) {
        return new FeedBatchRequest(other, writes);
    }
}
