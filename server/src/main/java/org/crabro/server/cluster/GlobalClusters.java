package org.crabro.server.cluster;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.Topology;
import org.crabro.config.services.Topology.ContentNodes;
import org.crabro.protocol.cluster.Placement;

/**
 * The global clusters. If the nodes of a content cluster lack some of its shards, the documents of
 * its global types are in another cluster: its global cluster, which has the same nodes and one
 * shard. Each node has a replica of this shard, so it has all parents of its documents.
 *
 * <p>A content cluster that has a global cluster keeps it.
 */
final class GlobalClusters {
    /** The number of shards of a global cluster. */
    static final int SHARDS = 1;

    /** Content clusters of packages with such an id are refused. */
    private static final String SUFFIX = "+global";

    /** The most nodes that all have all shards of a content cluster. */
    private static final int VOTERS = 3;

    private GlobalClusters() {}

    /** Returns the id of the global cluster of a content cluster. */
    static String of(String cluster) {
        return cluster + SUFFIX;
    }

    /** Returns whether an id is that of a global cluster. */
    static boolean isGlobal(String id) {
        return id.endsWith(SUFFIX);
    }

    /** Returns the id of the content cluster of the package that a cluster belongs to. */
    static String packaged(String id) {
        return isGlobal(id) ? id.substring(0, id.length() - SUFFIX.length()) : id;
    }

    /**
     * Returns the types whose documents are in global clusters.
     *
     * @param exists whether there is a cluster with an id
     * @return the global types of each content cluster with a global cluster, by its id
     */
    static Map<String, Set<String>> types(ApplicationModel model, Predicate<String> exists) {
        Map<String, Set<String>> types = new HashMap<>();
        for (ContentCluster content : model.services().contents()) {
            Set<String> global = globalTypes(content);
            if (exists.test(of(content.id()))
                    || (!global.isEmpty() && isNeeded(content.id(), model.services().topology()))) {
                types.put(content.id(), global);
            }
        }
        return types;
    }

    private static Set<String> globalTypes(ContentCluster content) {
        return content.documents().stream()
                .filter(ClusterDocument::isGlobal)
                .map(ClusterDocument::type)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns whether nodes of a content cluster lack shards. */
    private static boolean isNeeded(String cluster, Topology topology) {
        int nodes = nodes(cluster, topology);
        return nodes > Placement.replicas(redundancy(cluster, topology), nodes);
    }

    /** Returns how many nodes a content cluster should have. */
    static int nodes(String cluster, Topology topology) {
        ContentNodes nodes = topology.contents().get(cluster);
        return nodes == null || topology.hosts().isEmpty() ? 1 : nodes.wanted();
    }

    private static int redundancy(String cluster, Topology topology) {
        ContentNodes nodes = topology.contents().get(cluster);
        return nodes == null ? 1 : nodes.redundancy();
    }

    /** Returns the hosts of a package with global clusters for some of its content clusters. */
    static Topology placed(Topology packaged, Set<String> clusters) {
        var contents = new HashMap<>(packaged.contents());
        packaged.contents()
                .forEach((id, nodes) -> {
                    if (clusters.contains(id)) {
                        contents.put(of(id), voting(nodes));
                    }
                });
        return new Topology(
                packaged.hosts(), packaged.configServers(), packaged.containers(), contents);
    }

    /** All nodes have the documents anyway, so three of them vote if there are three. */
    private static ContentNodes voting(ContentNodes nodes) {
        return nodes.wanted() < VOTERS
                ? nodes
                : new ContentNodes(Math.max(2, nodes.redundancy()), nodes.nodes());
    }
}
