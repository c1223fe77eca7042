package org.crabro.content.replication.raft;

import java.util.List;
import java.util.stream.Stream;
import org.apache.ratis.protocol.RaftPeer;

/**
 * The replicas of a group. All of them get all entries.
 *
 * @param voters a majority of them stores an entry before it is committed, and one of them leads
 * @param listeners the others, which never vote
 */
public record GroupMembers(List<ReplicaAddress> voters, List<ReplicaAddress> listeners) {
    /** No replicas. */
    public static final GroupMembers NONE = of(List.of());

    public GroupMembers {
        voters = List.copyOf(voters);
        listeners = List.copyOf(listeners);
    }

    /** Returns the members of a group without listeners. */
    public static GroupMembers of(List<ReplicaAddress> voters) {
        return new GroupMembers(voters, List.of());
    }

    /** Returns whether a peer votes. */
    public boolean hasVoter(String peer) {
        return voters.stream().anyMatch(each -> each.peer().equals(peer));
    }

    /** Returns whether a peer is one of the listeners. */
    public boolean hasListener(String peer) {
        return listeners.stream().anyMatch(each -> each.peer().equals(peer));
    }

    /** Returns whether a peer is a voter or a listener. */
    public boolean has(String peer) {
        return hasVoter(peer) || hasListener(peer);
    }

    /** Returns all replicas, each with the role in which it starts. */
    List<RaftPeer> toPeers() {
        return Stream.concat(
                        voters.stream().map(ReplicaAddress::toPeer),
                        listeners.stream().map(ReplicaAddress::toListener))
                .toList();
    }
}
