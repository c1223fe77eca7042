package org.crabro.protocol.cluster;

import java.util.List;
import java.util.Optional;

/**
 * What a content node tells the config server several times a second.
 *
 * @param node its distribution key
 * @param peer of its data directory
 * @param generation the application that is active on it, 0 for none
 * @param shards its replicas, and those that it gets
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
     * A replica on the node, or one that it gets.
     *
     * @param term of the replica, 0 before the first one
     * @param isLeader whether it leads the term
     * @param configuration of a leader the newest one, if it is committed and no change of it is
     *     under way; of others the newest that they have. Empty in a report of an older release
     *     that does not lead
     * @param applied the index of the last entry that it applied; -1 without one
     * @param copy the copies of another replica that the node gets; empty if it gets none
     */
    public record ShardReport(
            int shard,
            long term,
            boolean isLeader,
            Optional<Configuration> configuration,
            long applied,
            Optional<Copy> copy) {}

    /**
     * The replicas of a shard.
     *
     * @param index of the entry with this configuration
     * @param voters the peers that vote
     * @param listeners the peers that do not; empty in a report of an older release
     * @param leader the peer that leads the term of the replica that reports this; empty if it
     *     knows none
     */
    public record Configuration(
            long index,
            List<String> voters,
            Optional<List<String>> listeners,
            Optional<String> leader) {
        public Configuration {
            voters = List.copyOf(voters);
            listeners = listeners.map(List::copyOf);
        }

        /** What a replica reports that knows no leader. */
        public Configuration(long index, List<String> voters, Optional<List<String>> listeners) {
            this(index, voters, listeners, Optional.empty());
        }

        /** A configuration whose replicas all vote. */
        public Configuration(long index, List<String> voters) {
            this(index, voters, Optional.empty());
        }
    }

    /**
     * A replica that is being copied.
     *
     * @param from the distribution key of the node with the other replica
     * @param copiedBytes of its files
     * @param bytes of all its files
     */
    public record Copy(int from, long copiedBytes, long bytes) {}

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
