package org.crabro.protocol.wire;

/**
 * What every request between container and content carries.
 *
 * @param stateVersion the cluster state by which the sender chose the node; a node that is not the
 *     owner by its own, newer state answers so
 */
public record RequestHeader(Principal principal, long stateVersion, Deadline deadline) {}
