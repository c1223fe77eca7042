package org.crabro.container.document;

import org.crabro.document.operation.ConditionalOperation;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/** Carries out single operations; blocks until they are durable or the deadline passes. */
public interface DocumentWrites {
    /**
     * Carries out {@code operation}.
     *
     * @param operation complete: indexing scripts have run
     */
    WriteResult write(Principal principal, Deadline deadline, ConditionalOperation operation);
}
