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
 * @param configuration the newest one in its log
 */
public record ReplicaStatus(
        boolean isLeader,
        Optional<String> leader,
        long term,
        long applied,
        long committed,
        Configuration configuration) {
    /**
     * The replicas that vote.
     *
     * @param index of its entry; -1 if there is none
     * @param isStable whether it is not part of a change that is under way
     */
    public record Configuration(long index, List<ReplicaAddress> voters, boolean isStable) {
        public Configuration {
            voters = List.copyOf(voters);
        }
    }

    /** Returns the voters of the newest configuration. */
    public List<ReplicaAddress> voters() {
        return configuration.voters();
    }

    /** Returns whether the newest configuration is committed and no change is under way. */
    public boolean isSettled() {
        return configuration.isStable() && configuration.index() <= committed;
    }
}
