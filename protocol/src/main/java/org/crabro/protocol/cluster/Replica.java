package org.crabro.protocol.cluster;

/**
 * A replica of a shard. A node that lost its data comes back as another peer, which must not vote
 * for the lost one.
 *
 * @param node its distribution key, or {@link #UNKNOWN}
 * @param peer the data directory of the node: the name of the host and a random number
 */
public record Replica(int node, String peer) {
    /** The key of a replica that votes, and whose node has not reported it. */
    public static final int UNKNOWN = -1;

    /** Returns the host of a data directory, by its name; empty if the name has another form. */
    public static String hostOf(String peer) {
        return peer.substring(0, Math.max(0, peer.lastIndexOf('-')));
    }
}
