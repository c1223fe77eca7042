package org.crabro.container.document;

import org.crabro.protocol.feed.ConditionalWrite;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/** Writes single rows on their conditions; blocks until that is durable or the deadline passes. */
public interface RowWrites {
    /** Writes a row where its condition holds. */
    WriteReply write(Principal principal, Deadline deadline, ConditionalWrite write);
}
