package org.crabro.content.storage.commit;

import java.util.List;
import java.util.Optional;
import org.crabro.protocol.feed.OperationId;

/**
 * Rows of one partition to be proposed.
 *
 * @param term of the journal in which they were made
 * @param rows encoded, not to be changed any more; at least one, and no more bytes than {@link
 *     Journal#PROPOSAL_BYTES} unless there is only one
 * @param operations the one that wrote each row; empty if they have no ids
 */
public record RowProposal(
        long term, int partition, List<byte[]> rows, List<OperationId> operations) {
    public RowProposal {
        operations = List.copyOf(operations);
        if (rows.isEmpty() || (!operations.isEmpty() && operations.size() != rows.size())) {
            throw new IllegalArgumentException(
                    "%d rows of %d operations".formatted(rows.size(), operations.size()));
        }
    }

    /** Returns the operation that wrote a row, if it has an id. */
    public Optional<OperationId> operation(int row) {
        return operations.isEmpty() ? Optional.empty() : Optional.of(operations.get(row));
    }

    /** Returns rows of operations without an id. */
    public static RowProposal of(long term, int partition, List<byte[]> rows) {
        return new RowProposal(term, partition, rows, List.of());
    }
}
