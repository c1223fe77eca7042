package org.crabro.container.document;

import org.crabro.protocol.feed.Write;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/** Writes single rows; blocks until they are durable or the deadline passes. */
public interface RowWrites {
    /** Writes a row, if its condition is met. A row without a condition is always written. */
    WriteResult write(Principal principal, Deadline deadline, Write.Row row);
}
