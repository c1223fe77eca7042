package org.crabro.container.visit;

import org.crabro.container.document.WriteResult;
import org.crabro.document.LocationKey;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/** Removes whole groups; blocks until the removal is durable or has failed. */
public interface GroupRemovals {
    /**
     * Removes all documents of a type in a group, of every namespace, in one step.
     *
     * @param group not {@link LocationKey.Plain}
     */
    WriteResult remove(
            Principal principal, Deadline deadline, String documentType, LocationKey group);
}
