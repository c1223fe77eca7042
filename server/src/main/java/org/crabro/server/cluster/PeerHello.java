package org.crabro.server.cluster;

import java.util.List;
import java.util.Optional;

/**
 * What a config server tells another one.
 *
 * @param member who tells
 * @param servers the hosts of all config servers, as this one was started with
 * @param clusterId the cluster whose data the server has; empty if it has none yet
 * @param founding the first members of the group; empty before the server knows them
 * @param isJoining whether the server has the record, and is to replace a former one of its host
 */
record PeerHello(
        Member member,
        List<String> servers,
        String clusterId,
        Optional<Founding> founding,
        boolean isJoining) {
    PeerHello {
        servers = List.copyOf(servers);
    }

    /**
     * A config server.
     *
     * @param peer of its data directory
     * @param log where it takes entries of the log, as {@code host:port}
     * @param forwarded where it takes requests that others forward, as {@code host:port}
     */
    record Member(String host, String peer, String log, String forwarded) {}

    /**
     * The begin of a group.
     *
     * @param members the peers that the group began with
     */
    record Founding(String clusterId, List<Member> members) {
        Founding {
            members = List.copyOf(members);
        }
    }

    /**
     * The answer.
     *
     * @param refusal why the other server may not take part, so that it must stop; empty if it may
     * @param isLeading whether this server leads
     */
    record Answer(String refusal, PeerHello own, boolean isLeading) {}
}
