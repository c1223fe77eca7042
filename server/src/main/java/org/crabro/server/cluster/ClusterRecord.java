package org.crabro.server.cluster;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.crabro.protocol.cluster.ClusterState;

/**
 * What a config server must not forget.
 *
 * @param clusterId a random name of the cluster
 * @param hosts that have ever reported
 * @param maintenance the hosts on which an operator works
 * @param states of all content clusters, by id
 */
record ClusterRecord(
        String clusterId,
        SortedSet<String> hosts,
        SortedSet<String> maintenance,
        SortedMap<String, ClusterState> states) {
    ClusterRecord {
        hosts = Collections.unmodifiableSortedSet(new TreeSet<>(hosts));
        maintenance = Collections.unmodifiableSortedSet(new TreeSet<>(maintenance));
        states = Collections.unmodifiableSortedMap(new TreeMap<>(states));
    }

    /** Returns the record of a new cluster. */
    static ClusterRecord of(String clusterId) {
        return new ClusterRecord(clusterId, new TreeSet<>(), new TreeSet<>(), new TreeMap<>());
    }
}
