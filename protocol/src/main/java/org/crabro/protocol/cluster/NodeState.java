package org.crabro.protocol.cluster;

/**
 * A content node, as the config server knows it.
 *
 * @param peer of its data directory; empty before its first report
 * @param address where it takes requests, as {@code host:port}; empty before its first report
 * @param generation the application that is active on it, 0 for none
 */
public record NodeState(Status status, String peer, String address, long generation) {
    /** A node that has not reported yet. */
    static final NodeState UNKNOWN = new NodeState(Status.DOWN, "", "", 0);

    /** Whether a node works. */
    public enum Status {
        /** It reports. */
        UP,
        /** It has not reported for some seconds. */
        DOWN,
        /** An operator works on it: it should lead nothing. */
        MAINTENANCE
    }
}
