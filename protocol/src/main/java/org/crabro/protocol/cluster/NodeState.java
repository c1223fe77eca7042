package org.crabro.protocol.cluster;

/**
 * A content node, as the config server knows it.
 *
 * @param peer of its data directory; empty before its first report
 * @param addresses as last reported
 * @param generation the application that is active on it, 0 for none
 * @param isFull whether it refuses puts because its disk or its memory is full; then the leaders of
 *     its shards refuse them too
 */
public record NodeState(
        Status status, String peer, NodeAddresses addresses, long generation, boolean isFull) {
    /** A node that has not reported yet. */
    static final NodeState UNKNOWN = new NodeState(Status.DOWN, "", NodeAddresses.NONE, 0, false);

    /** Whether a node works. */
    public enum Status {
        /** It reports. */
        UP,
        /** It has not reported for some seconds. */
        DOWN,
        /** An operator works on it, or its clock is wrong: it should lead nothing. */
        MAINTENANCE
    }
}
