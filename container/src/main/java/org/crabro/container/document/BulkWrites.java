package org.crabro.container.document;

import java.util.List;
import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/** Carries out many writes as a batch; blocks until they are durable or the deadline passes. */
public interface BulkWrites extends RowWrites {
    /** Returns the partition of a document. */
    int partition(DocumentId id);

    /**
     * Carries out {@code rows}. Writes of one document keep their order.
     *
     * @param rows complete: indexing scripts have run
     * @return the outcome of each, in their order
     */
    List<WriteResult> write(Principal principal, Deadline deadline, List<Write.Row> rows);
}
