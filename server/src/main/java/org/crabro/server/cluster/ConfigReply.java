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
 * @param generation the application that should be active, 0 for none
 * @param states of all content clusters, by id
 */
public record ConfigReply(
        String refusal, String clusterId, long generation, SortedMap<String, ClusterState> states) {
    public ConfigReply {
        states = Collections.unmodifiableSortedMap(new TreeMap<>(states));
    }
}
