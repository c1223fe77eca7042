package org.crabro.protocol.cluster;

/**
 * A replica of a shard. A node that lost its data comes back as another peer, which must not vote
 * for the lost one.
 *
 * @param node its distribution key
 * @param peer the data directory of the node: the name of the host and a random number
 */
public record Replica(int node, String peer) {}
