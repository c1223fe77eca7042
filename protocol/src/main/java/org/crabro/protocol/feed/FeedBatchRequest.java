package org.crabro.protocol.feed;

import java.util.List;
import java.util.Optional;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Asks the owner of some partitions to execute many unconditional writes together, with as few
 * forces as possible. Writes of the same document are executed in order. Each write succeeds or
 * fails by itself.
 *
 * @param writes final rows: indexing scripts have run
 * @param first identifies the first write; the others have the numbers that follow. A retry sends
 *     all of them again
 */
public record FeedBatchRequest(
        RequestHeader header, List<EncodedWrite> writes, Optional<OperationId> first) {
    public FeedBatchRequest {
        writes = List.copyOf(writes);
    }

    /** Makes a request whose writes have no ids. */
    public FeedBatchRequest(RequestHeader header, List<EncodedWrite> writes) {
        this(header, writes, Optional.empty());
    }

    /** Returns the same request with another header. */
    public FeedBatchRequest with(RequestHeader other) {
        return new FeedBatchRequest(other, writes, first);
    }
}
