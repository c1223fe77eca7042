package org.crabro.content.recent;

import java.util.List;
import java.util.Optional;
import org.crabro.protocol.feed.OperationId;

/**
 * Rows of one partition to be proposed.
 *
 * @param term of the journal in which they were made
 * @param rows encoded, not to be changed any more; at least one, and no more bytes than {@link
 *     Journal#PROPOSAL_BYTES} unless there is only one
 * @param operation that wrote them, if it has an id: then there is one row
 */
public record RowProposal(
        long term, int partition, List<byte[]> rows, Optional<OperationId> operation) {
    public RowProposal {
        if (rows.isEmpty() || (operation.isPresent() && rows.size() > 1)) {
            throw new IllegalArgumentException("%d rows of %s".formatted(rows.size(), operation));
        }
    }

    /** Returns rows of operations without an id. */
    public static RowProposal of(long term, int partition, List<byte[]> rows) {
        return new RowProposal(term, partition, rows, Optional.empty());
    }
}
