package org.crabro.protocol.cluster;

import java.util.List;
import java.util.Optional;

/**
 * The replicas of a shard.
 *
 * @param desired the distribution keys of the nodes that should have its replicas; the first one
 *     should lead
 * @param voters the replicas that vote by the newest committed configuration that is known; empty
 *     before the shard has any
 * @param configuration the index of the entry with this configuration; -1 if it is not known
 * @param seeded the replicas that do not vote, and have copies of the files of another one
 * @param term the highest term that a leader reported, 0 for none
 * @param leader the leader of that term; empty if it is not known or does not lead any more
 */
public record ShardState(
        List<Integer> desired,
        List<Replica> voters,
        long configuration,
        List<Replica> seeded,
        long term,
        Optional<Integer> leader) {
    public ShardState {
        desired = List.copyOf(desired);
        voters = List.copyOf(voters);
        seeded = List.copyOf(seeded);
    }

    /** Returns a shard that has no replicas yet. */
    static ShardState unformed(List<Integer> desired) {
        return formed(desired, List.of());
    }

    /** Returns a shard whose replicas have not reported yet. */
    static ShardState formed(List<Integer> desired, List<Replica> voters) {
        return new ShardState(desired, voters, -1, List.of(), 0, Optional.empty());
    }
}
