package org.crabro.container.visit;

import org.crabro.container.document.WriteReply;
import org.crabro.document.LocationKey;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/** Removes groups whole; blocks until that is durable, or will not be. */
public interface GroupRemovals {
    /**
     * Removes all documents of a type in a group, in every namespace, at once.
     *
     * @param group no {@link LocationKey.Plain}
     */
    WriteReply remove(
            Principal principal, Deadline deadline, String documentType, LocationKey group);
}
