package org.crabro.container.document;

import java.util.List;
import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.EncodedWrite;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/** Carries out many writes together; blocks until they are durable or the deadline passes. */
public interface BulkWrites extends RowWrites {
    /** Returns the partition that a document lies in. */
    int partition(DocumentId id);

    /**
     * Carries out {@code writes}, those of one document in their order.
     *
     * @param writes complete: indexing scripts have run
     * @return what became of each, in their order
     */
    List<WriteReply> write(Principal principal, Deadline deadline, List<EncodedWrite> writes);
}
