package org.crabro.server.cluster;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.crabro.protocol.cluster.ClusterState;

/**
 * What the config servers of a cluster must not forget.
 *
 * @param clusterId a random name of the cluster
 * @param revision rises by one with each change
 * @param format the version of formats that servers write; 0 before the first server reports
 * @param hosts that have ever reported, and the versions of formats that each has
 * @param states of all content clusters, by id
 */
record ClusterRecord(
        String clusterId,
        long revision,
        int format,
        RecordedHosts hosts,
        SortedMap<String, ClusterState> states,
        DeployedPackages packages) {
    ClusterRecord {
        states = Collections.unmodifiableSortedMap(new TreeMap<>(states));
    }

    /**
     * The hosts of a cluster.
     *
     * @param formats by host
     * @param maintained the hosts on which an operator works
     */
    record RecordedHosts(SortedMap<String, FormatVersions> formats, SortedSet<String> maintained) {
        RecordedHosts {
            formats = Collections.unmodifiableSortedMap(new TreeMap<>(formats));
            maintained = Collections.unmodifiableSortedSet(new TreeSet<>(maintained));
        }

        boolean has(String host) {
            return formats.containsKey(host);
        }
    }

    /** Returns the record of a new cluster. */
    static ClusterRecord of(String clusterId) {
        return new ClusterRecord(
                clusterId,
                0,
                0,
                new RecordedHosts(new TreeMap<>(), new TreeSet<>()),
                new TreeMap<>(),
                DeployedPackages.NONE);
    }

    /**
     * Returns whether this can be the record after another one. The active application never goes
     * back to one before.
     */
    boolean isAfter(ClusterRecord before) {
        return clusterId.equals(before.clusterId)
                && revision == before.revision + 1
                && packages.isAfter(before.packages);
    }

    ClusterRecord withRevision(long other) {
        return new ClusterRecord(clusterId, other, format, hosts, states, packages);
    }

    ClusterRecord with(RecordedHosts other) {
        return new ClusterRecord(clusterId, revision, format, other, states, packages);
    }

    ClusterRecord with(DeployedPackages other) {
        return new ClusterRecord(clusterId, revision, format, hosts, states, other);
    }
}
