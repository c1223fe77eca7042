package org.crabro.content.replication.raft;

import java.nio.file.Path;
import java.util.Optional;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.protocol.transport.AllowedCallers;
import org.crabro.protocol.transport.ClusterHosts;
import org.crabro.protocol.transport.NodeSecurity;

/**
 * The settings of the server of a node.
 *
 * @param self this replica, and where its server listens; port 0 selects a free one
 * @param directory of the logs, for Ratis alone; created if it is missing
 * @param files the data directory, for the records of shards
 * @param peers who may send messages, and how they are protected
 * @param retainedBytes of entries that are in runs and that a follower still needs, per shard. A
 *     follower that needs more is installed anew
 */
public record RatisSettings(
        ReplicaAddress self,
        Path directory,
        LogFiles files,
        Peers peers,
        RatisTimes times,
        long retainedBytes) {
    /** A replica that is further behind gets copies of the runs instead. */
    public static final long RETAINED_BYTES = 4L << 30;

    /**
     * The other servers.
     *
     * @param tls without it, the server listens on the loopback interface only
     * @param isInsecure whether it listens on its address without {@code tls}, too
     * @param callers whose messages count, by their certificates
     * @param hosts of the cluster
     */
    public record Peers(
            Optional<RatisTls> tls,
            boolean isInsecure,
            AllowedCallers callers,
            ClusterHosts hosts) {
        /** Servers on this machine, without certificates. */
        public static final Peers LOCAL = of(Optional.empty());

        /** Servers with certificates of the same authority. */
        public static Peers of(Optional<RatisTls> tls) {
            return new Peers(tls, false, AllowedCallers.MEMBERS, ClusterHosts.ANY);
        }

        /** The servers of a cluster. */
        public static Peers of(NodeSecurity security, AllowedCallers callers, ClusterHosts hosts) {
            return new Peers(
                    security.tls().map(RatisTls::of), security.isInsecure(), callers, hosts);
        }
    }
}
