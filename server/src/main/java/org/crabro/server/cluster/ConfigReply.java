package org.crabro.server.cluster;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.crabro.protocol.cluster.ClusterState;

/**
 * The answer of the config server to a {@link HostReport}.
 *
 * @param refusal why the server may not take part, so that it must stop; empty if it may
 * @param clusterId the cluster of the config server
 * @param revision rises with each decision; of two replies, the one with the lower number is older
 * @param format the version of formats that servers write
 * @param generation the application that should be active, 0 for none
 * @param states of all content clusters, by id
 */
public record ConfigReply(
        String refusal,
        String clusterId,
        long revision,
        int format,
        long generation,
        SortedMap<String, ClusterState> states) {
    /** What a server knows before the first reply. */
    static final ConfigReply NONE = new ConfigReply("", "", 0, 0, 0, new TreeMap<>());

    public ConfigReply {
        states = Collections.unmodifiableSortedMap(new TreeMap<>(states));
    }

    static ConfigReply refusal(String reason, String clusterId) {
        return new ConfigReply(reason, clusterId, 0, 0, 0, new TreeMap<>());
    }

    /** Returns these decisions, without the one which application should be active. */
    ConfigReply withGeneration(long other) {
        return new ConfigReply(refusal, clusterId, revision, format, other, states);
    }
}
