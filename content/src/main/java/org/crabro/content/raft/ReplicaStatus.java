package org.crabro.content.raft;

import java.util.List;
import java.util.Optional;

/**
 * A replica as it sees itself and its group.
 *
 * @param isLeader whether it leads, and knows what is committed
 * @param leader the peer that leads; empty if it is unknown
 * @param term the newest one
 * @param applied the index of the last applied entry; -1 without one
 * @param committed the index of the last entry that it knows to be committed; -1 without one
 * @param voters the current ones
 */
public record ReplicaStatus(
        boolean isLeader,
        Optional<String> leader,
        long term,
        long applied,
        long committed,
        List<ReplicaAddress> voters) {
    public ReplicaStatus {
        voters = List.copyOf(voters);
    }
}
