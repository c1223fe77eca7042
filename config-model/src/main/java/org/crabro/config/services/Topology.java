package org.crabro.config.services;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The hosts on which an application runs, as the package declares them. Without a hosts.xml, a host
 * has the name of its alias.
 *
 * @param hosts the names of all hosts of hosts.xml; empty without one
 * @param configServers the names of the hosts of config servers; empty if the package names none
 * @param containers the names of the hosts of each container cluster, by the id of the cluster
 * @param contents the nodes of each content cluster, by the id of the cluster
 */
public record Topology(
        Set<String> hosts,
        List<String> configServers,
        Map<String, List<String>> containers,
        Map<String, ContentNodes> contents) {
    /** An application that names no hosts. */
    public static final Topology NONE = new Topology(Set.of(), List.of(), Map.of(), Map.of());

    public Topology {
        hosts = Set.copyOf(hosts);
        configServers = List.copyOf(configServers);
        containers = Map.copyOf(containers);
        contents = Map.copyOf(contents);
    }

    /**
     * Returns the hosts where each cluster has one. Without a hosts.xml, each alias means the
     * default host, and clusters without nodes are there too.
     */
    public Topology on(String defaultHost) {
        var placedContainers = new HashMap<String, List<String>>();
        containers.forEach((id, names) ->
                placedContainers.put(
                        id, hosts.isEmpty() || names.isEmpty() ? List.of(defaultHost) : names));
        var placedContents = new HashMap<String, ContentNodes>();
        contents.forEach((id, nodes) -> placedContents.put(id, nodes.on(defaultHost, hosts)));
        return new Topology(hosts, configServers, placedContainers, placedContents);
    }

    /**
     * The nodes of a content cluster.
     *
     * @param redundancy how many nodes should have each document by services.xml, at least 1;
     *     clusters may choose another number of replicas
     * @param nodes by distribution key
     */
    public record ContentNodes(int redundancy, SortedMap<Integer, ContentHost> nodes) {
        public ContentNodes {
            nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
        }

        /** Returns how many nodes should have documents, at least 1. */
        public int wanted() {
            return Math.max(
                    1, (int) nodes.values().stream().filter(each -> !each.isRetired()).count());
        }

        private ContentNodes on(String defaultHost, Set<String> hosts) {
            if (!hosts.isEmpty() && !nodes.isEmpty()) {
                return this;
            }
            int key = nodes.isEmpty() ? 0 : nodes.firstKey();
            return new ContentNodes(
                    redundancy, new TreeMap<>(Map.of(key, new ContentHost(defaultHost, 1))));
        }
    }

    /**
     * A node of a content cluster.
     *
     * @param name of the host
     * @param capacity how many documents it should have, compared with other nodes; above 0
     * @param isRetired whether it should hand over its documents to the others
     */
    public record ContentHost(String name, double capacity, boolean isRetired) {
        /** A node that should have documents. */
        public ContentHost(String name, double capacity) {
            this(name, capacity, false);
        }
    }
}
