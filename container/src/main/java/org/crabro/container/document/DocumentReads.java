package org.crabro.container.document;

import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/** Reads single documents; blocks until the reply arrives or the deadline passes. */
public interface DocumentReads {
    /**
     * Reads a document.
     *
     * @param hold the caller closes it when it no longer needs the values
     */
    ReadReply read(Principal principal, Deadline deadline, DocumentId id, ReadHold hold);

    /**
     * Reads the copy of a document in one content cluster.
     *
     * @param cluster stores the type of the document
     * @param hold the caller closes it when it no longer needs the values
     */
    default ReadReply read(
            String cluster, Principal principal, Deadline deadline, DocumentId id, ReadHold hold) {
        return read(principal, deadline, id, hold);
    }
}
