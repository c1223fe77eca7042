package org.crabro.protocol.wire;

/**
 * The header of every request between container and content.
 *
 * @param stateVersion the version of the cluster state by which the sender chose the node; if the
 *     node is not the owner in its own, newer state, its reply says so
 * @param client searches of the same client share its turns; not part of the encoding of messages,
 *     in which the name of the principal replaces it
 */
public record RequestHeader(
        Principal principal, long stateVersion, Deadline deadline, String client) {
    /** A request whose principal is its client. */
    public RequestHeader(Principal principal, long stateVersion, Deadline deadline) {
        this(principal, stateVersion, deadline, principal.name());
    }

    /** Returns the same header with another deadline. */
    public RequestHeader with(Deadline other) {
        return new RequestHeader(principal, stateVersion, other, client);
    }

    /** Returns the same header with another client. */
    public RequestHeader withClient(String other) {
        return new RequestHeader(principal, stateVersion, deadline, other);
    }
}
