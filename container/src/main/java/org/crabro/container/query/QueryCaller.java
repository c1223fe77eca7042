package org.crabro.container.query;

import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/**
 * The sender of a query, and how long it waits.
 *
 * @param client queries of one client wait for each other longer than for those of other clients
 * @param deadline fixed when the request arrived
 * @param softTimeout whether a query whose time runs out returns the hits found until then
 */
public record QueryCaller(
        Principal principal, String client, Deadline deadline, boolean softTimeout) {
    QueryCaller with(Deadline other) {
        return new QueryCaller(principal, client, other, softTimeout);
    }
}
