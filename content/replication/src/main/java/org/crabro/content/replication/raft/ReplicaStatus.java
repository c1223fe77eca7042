package org.crabro.content.replication.raft;

import java.util.List;
import java.util.Optional;

/**
 * A replica as it sees itself and its group.
 *
 * @param role that it has now
 * @param leader the peer that leads; empty if it is unknown
 * @param term the newest one
 * @param applied the index of the last applied entry; -1 without one
 * @param committed the index of the last entry that it knows to be committed; -1 without one
 * @param configuration the newest one in its log
 */
public record ReplicaStatus(
        Role role,
        Optional<String> leader,
        long term,
        long applied,
        long committed,
        Configuration configuration) {
    /** What a replica does. */
    public enum Role {
        /** It leads, and knows what is committed. */
        LEADS,
        /** It votes, or would if it were asked. Also the role of a replica without a group. */
        VOTES,
        /** It gets entries, and neither votes nor stands for election. */
        LISTENS
    }

    /**
     * The replicas of a group.
     *
     * @param index of its entry; -1 if there is none
     * @param isStable whether it is not part of a change that is under way
     */
    public record Configuration(long index, GroupMembers members, boolean isStable) {}

    /** Returns whether it leads, and knows what is committed. */
    public boolean isLeader() {
        return role == Role.LEADS;
    }

    /** Returns the voters of the newest configuration. */
    public List<ReplicaAddress> voters() {
        return configuration.members().voters();
    }

    /**
     * Returns whether a replica has another role than its group wants. It takes the right one when
     * it is started again.
     *
     * @param self its peer
     */
    public boolean isMisplaced(String self) {
        GroupMembers members = configuration.members();
        return isSettled()
                && switch (role) {
                    case LEADS -> false;
                    case VOTES -> members.hasListener(self);
                    case LISTENS -> members.hasVoter(self);
                };
    }

    /** Returns whether the newest configuration is committed and no change is under way. */
    public boolean isSettled() {
        return configuration.isStable() && configuration.index() <= committed;
    }
}
