package org.crabro.content.raft;

import java.nio.file.Path;
import java.util.Optional;
import org.crabro.content.journal.LogFiles;

/**
 * The settings of the server of a node.
 *
 * @param self this replica, and where its server listens; port 0 selects a free one
 * @param directory of the logs, for Ratis alone; created if it is missing
 * @param files the data directory, for the records of shards
 * @param tls without it, the server listens on the loopback interface only
 * @param retainedBytes of entries that are in runs and that a follower still needs, per shard. A
 *     follower that needs more is installed anew
 */
public record RatisSettings(
        ReplicaAddress self,
        Path directory,
        LogFiles files,
        Optional<RatisTls> tls,
        RatisTimes times,
        long retainedBytes) {
    /** A replica that is further behind gets copies of the runs instead. */
    public static final long RETAINED_BYTES = 4L << 30;
}
