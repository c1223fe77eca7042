package org.crabro.server.cluster;

import java.util.Optional;
import java.util.Set;
import org.crabro.protocol.cluster.ClusterState;
import org.crabro.protocol.transport.ClusterHosts;

/** The hosts that may send requests to a content node, by the last state of its cluster. */
final class MemberHosts {
    /** None before the first state; senders repeat their messages. */
    private volatile Optional<Set<String>> members = Optional.of(Set.of());

    /** Follows a state. One of an older release names no hosts, so all count. */
    void follow(ClusterState state) {
        members = state.hosts().map(hosts -> hosts);
    }

    /** Returns the hosts, as they are at each call. */
    ClusterHosts latest() {
        return new ClusterHosts(() -> members, Set.of());
    }
}
