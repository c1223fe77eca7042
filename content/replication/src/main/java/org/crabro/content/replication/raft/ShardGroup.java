package org.crabro.content.replication.raft;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.ratis.protocol.RaftGroupId;

/**
 * The replicas of a shard.
 *
 * @param cluster the name of the content cluster
 * @param shard from 0
 */
public record ShardGroup(String cluster, int shard) {
    RaftGroupId id() {
        byte[] name = "content/%s/%d".formatted(cluster, shard).getBytes(StandardCharsets.UTF_8);
        return RaftGroupId.valueOf(UUID.nameUUIDFromBytes(name));
    }

    /** Returns the name of files of the group. */
    String fileName() {
        return id().getUuid().toString();
    }

    @Override
    public String toString() {
        return "shard %d of '%s'".formatted(shard, cluster);
    }
}
