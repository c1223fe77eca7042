package org.crabro.protocol.cluster;

import java.util.List;

/**
 * What a content node tells the config server several times a second.
 *
 * @param node its distribution key
 * @param peer of its data directory
 * @param generation the application that is active on it, 0 for none
 * @param shards its replicas
 * @param load what it has left
 */
public record NodeReport(
        int node,
        String peer,
        NodeAddresses addresses,
        long generation,
        List<ShardReport> shards,
        NodeLoad load) {
    public NodeReport {
        shards = List.copyOf(shards);
    }

    /**
     * A replica on the node.
     *
     * @param term of the replica, 0 before the first one
     * @param isLeader whether it leads the term
     * @param voters the peers of the newest configuration; empty if this does not lead
     * @param applied the index of the last entry that it applied
     */
    public record ShardReport(
            int shard, long term, boolean isLeader, List<String> voters, long applied) {
        public ShardReport {
            voters = List.copyOf(voters);
        }
    }

    /**
     * What a node has left.
     *
     * @param refusal why the node refuses puts; empty while it accepts them
     * @param diskUsed the share of the disk that is used, 0 to 1
     * @param memoryUsed the share of the memory for recent documents that is used, 0 to 1
     * @param clockMillis its clock, milliseconds since 1970
     */
    public record NodeLoad(String refusal, double diskUsed, double memoryUsed, long clockMillis) {}
}
