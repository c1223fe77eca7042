package org.crabro.protocol.wire;

/**
 * What every request between container and content carries.
 *
 * @param stateVersion the cluster state by which the sender chose the node; a node that is not the
 *     owner by its own, newer state answers so
 * @param client requests of one client wait for each other more than for those of others; not part
 *     of the encoding of messages, where the name of the principal stands for it
 */
public record RequestHeader(
        Principal principal, long stateVersion, Deadline deadline, String client) {
    /** A request whose principal is its client. */
    public RequestHeader(Principal principal, long stateVersion, Deadline deadline) {
        this(principal, stateVersion, deadline, principal.name());
    }

    /** Returns this with another client. */
    public RequestHeader withClient(String other) {
        return new RequestHeader(principal, stateVersion, deadline, other);
    }
}
