package org.crabro.protocol.feed;

import java.util.List;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Asks the owner of some partitions to execute many unconditional writes together, with as few
 * forces as possible. Writes of the same document are executed in order. Each write succeeds or
 * fails by itself.
 *
 * @param writes final rows: indexing scripts have run
 * @param ids of each write, if the sender may send some of them again; empty otherwise
 */
public record FeedBatchRequest(
        RequestHeader header, List<EncodedWrite> writes, List<OperationId> ids) {
    public FeedBatchRequest {
        writes = List.copyOf(writes);
        ids = List.copyOf(ids);
        if (!ids.isEmpty() && ids.size() != writes.size()) {
            throw new IllegalArgumentException(
                    "%d ids of %d writes".formatted(ids.size(), writes.size()));
        }
    }

    /** Makes a request whose writes have no ids. */
    public FeedBatchRequest(RequestHeader header, List<EncodedWrite> writes) {
        this(header, writes, List.of());
    }

    /** Returns the same request with another header. */
    public FeedBatchRequest with(RequestHeader other) {
        return new FeedBatchRequest(other, writes, ids);
    }
}
