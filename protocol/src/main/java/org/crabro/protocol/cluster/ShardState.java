package org.crabro.protocol.cluster;

import java.util.List;
import java.util.Optional;

/**
 * The replicas of a shard.
 *
 * @param desired the distribution keys of the nodes that should have its replicas; the first one
 *     should lead
 * @param voters the replicas that vote, as far as known; empty before the shard has any
 * @param term the highest term that a leader reported, 0 for none
 * @param leader the leader of that term; empty if it is not known or does not lead any more
 */
public record ShardState(
        List<Integer> desired, List<Replica> voters, long term, Optional<Integer> leader) {
    public ShardState {
        desired = List.copyOf(desired);
        voters = List.copyOf(voters);
    }

    /** Returns a shard that has no replicas yet. */
    static ShardState unformed(List<Integer> desired) {
        return new ShardState(desired, List.of(), 0, Optional.empty());
    }
}
