package org.crabro.protocol.feed;

import java.util.List;
import java.util.Optional;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Asks the owner of some partitions for writes. Each write succeeds or fails by itself, and has a
 * {@link WriteReply}.
 *
 * <p>Rows without a condition are written first and together, with as few forces as possible. The
 * other writes follow, one after another. Writes of one document are executed in order if all of
 * them have conditions or are operations, or none.
 *
 * @param writes at least one; the removal of a group is the only write of its request
 * @param ids of each write, if the sender may send some of them again; empty otherwise
 */
public record WriteRequest(RequestHeader header, List<Write> writes, List<OperationId> ids) {
    public WriteRequest {
        writes = List.copyOf(writes);
        ids = List.copyOf(ids);
        if (writes.isEmpty()) {
            throw new IllegalArgumentException("no writes");
        }
        if (!ids.isEmpty() && ids.size() != writes.size()) {
            throw new IllegalArgumentException(
                    "%d ids of %d writes".formatted(ids.size(), writes.size()));
        }
        if (writes.size() > 1 && writes.stream().anyMatch(Write.RemoveGroup.class::isInstance)) {
            throw new IllegalArgumentException("the removal of a group together with other writes");
        }
    }

    /** Makes a request whose writes have no ids. */
    public WriteRequest(RequestHeader header, List<? extends Write> writes) {
        this(header, List.copyOf(writes), List.of());
    }

    /** Makes a request of one write. */
    public WriteRequest(RequestHeader header, Write write, Optional<OperationId> id) {
        this(header, List.of(write), id.map(List::of).orElse(List.of()));
    }

    /** Returns the same request with another header. */
    public WriteRequest with(RequestHeader other) {
        return new WriteRequest(other, writes, ids);
    }
}
