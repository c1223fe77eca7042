package org.crabro.server.cluster;

import java.io.IOException;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The ports of the content nodes of a host, in a file. A node keeps its ports, because other nodes
 * know them. Safe for use by many threads.
 */
final class HostPorts {
    private final JsonValueFile file;
    private final int first;
    private PortsByCluster latest;

    /**
     * The ports of a content node.
     *
     * @param requests for containers, 0 for any that is free
     * @param replication for the other nodes of its cluster, 0 for any that is free
     */
    record Pair(int requests, int replication) {}

    /** The ports by the id of the content cluster. */
    private record PortsByCluster(SortedMap<String, Pair> clusters) {
        PortsByCluster {
            clusters = Collections.unmodifiableSortedMap(new TreeMap<>(clusters));
        }
    }

    private HostPorts(JsonValueFile file, int first, PortsByCluster latest) {
        this.file = file;
        this.first = first;
        this.latest = latest;
    }

    /**
     * Opens a file of ports, which need not exist.
     *
     * @param first the first port for content nodes; each takes two. 0 for any that are free
     * @throws IOException if the file is damaged
     */
    static HostPorts open(JsonValueFile file, int first) throws IOException {
        return new HostPorts(
                file,
                first,
                file.read(PortsByCluster.class).orElse(new PortsByCluster(new TreeMap<>())));
    }

    /** Returns the ports of the node for a content cluster. */
    synchronized Pair of(String cluster) {
        Pair pair = latest.clusters().get(cluster);
        if (pair != null) {
            return pair;
        }
        int next = first + 2 * latest.clusters().size();
        return first == 0 ? new Pair(0, 0) : new Pair(next, next + 1);
    }

    /** Keeps the port for other nodes that was opened. */
    synchronized void keepReplication(String cluster, int port) throws IOException {
        keep(cluster, new Pair(of(cluster).requests(), port));
    }

    /** Keeps the port for containers that was opened. */
    synchronized void keepRequests(String cluster, int port) throws IOException {
        keep(cluster, new Pair(port, of(cluster).replication()));
    }

    private void keep(String cluster, Pair pair) throws IOException {
        if (!pair.equals(latest.clusters().get(cluster))) {
            var next = new TreeMap<>(latest.clusters());
            next.put(cluster, pair);
            var changed = new PortsByCluster(next);
            file.write(changed);
            latest = changed;
        }
    }
}
