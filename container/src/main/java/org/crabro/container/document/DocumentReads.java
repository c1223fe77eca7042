package org.crabro.container.document;

import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/** Reads single documents; blocks until an answer is there or the deadline passes. */
public interface DocumentReads {
    /**
     * Reads a document.
     *
     * @param hold closed when its values are not needed any more
     */
    ReadReply read(Principal principal, Deadline deadline, DocumentId id, ReadHold hold);
}
