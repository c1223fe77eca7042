package org.crabro.content.storage.commit;

import java.util.List;
import org.crabro.content.storage.commit.Proposal.Outcome;
import org.crabro.content.storage.journal.SegmentedLog;

/** Rows of one partition that wait to be made durable and applied, with their proposal. */
final class ProposedRows {
    private final int partition;
    private final List<byte[]> rows;
    private final long bytes;
    private final Runnable whenDone;
    private final Proposal proposal = new Proposal();

    /**
     * @param whenDone runs once the rows are applied, or will never be
     */
    ProposedRows(int partition, List<byte[]> rows, Runnable whenDone) {
        this.partition = partition;
        this.rows = rows;
        long sum = 0;
        for (byte[] row : rows) {
            sum += JournalRecord.HEADER + (long) SegmentedLog.RECORD_OVERHEAD + row.length;
        }
        this.bytes = sum;
        this.whenDone = whenDone;
    }

    int partition() {
        return partition;
    }

    List<byte[]> rows() {
        return rows;
    }

    /** Returns the size of the rows in the journal, in bytes. */
    long bytes() {
        return bytes;
    }

    Proposal proposal() {
        return proposal;
    }

    /** Completes the proposal: the rows are applied, the first at {@code position}. */
    void applied(long position) {
        tell(new Outcome.Applied(position));
    }

    /** Completes the proposal: the rows are not applied. No effect if they are already applied. */
    void failed(String reason) {
        tell(new Outcome.Failed(reason));
    }

    private void tell(Outcome outcome) {
        if (proposal.complete(outcome)) {
            whenDone.run();
        }
    }
}
