package org.crabro.protocol.cluster;

import java.util.List;

/**
 * The replicas of a shard that have all its documents and do not vote.
 *
 * @param desired the distribution keys of the nodes that should have them
 * @param replicas by the newest committed configuration that is known
 */
public record ShardListeners(List<Integer> desired, List<Replica> replicas) {
    /** A shard whose replicas all vote. */
    static final ShardListeners NONE = new ShardListeners(List.of(), List.of());

    public ShardListeners {
        desired = List.copyOf(desired);
        replicas = List.copyOf(replicas);
    }
}
