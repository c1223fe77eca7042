package org.crabro.server.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.crabro.container.dispatch.ClusterNodes;
import org.crabro.container.dispatch.ContentClusters;
import org.crabro.container.dispatch.PartitionReplicas;
import org.crabro.container.dispatch.ReplicatedDocuments;
import org.crabro.container.dispatch.ReplicatedSearch;
import org.crabro.container.wire.NodeClient;
import org.crabro.container.wire.NodeConnections;
import org.crabro.protocol.cluster.ClusterState;
import org.crabro.protocol.cluster.NodeHealth;
import org.crabro.protocol.cluster.NodeState;
import org.crabro.protocol.cluster.NodeState.Status;
import org.crabro.protocol.cluster.Replica;
import org.crabro.protocol.cluster.ShardState;

/**
 * The content clusters of an application, whose nodes are reached over the network. Safe for use by
 * many threads; one thread at a time follows states.
 */
final class RemoteClusters implements ContentClusters, AutoCloseable {
    private final NodeConnections connections;
    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("replica-request").factory());
    private final Map<Place, NodeClient> clients = new HashMap<>();

    /** The nodes of each content cluster, by its id. */
    private final Map<String, ClusterNodes> nodes = new ConcurrentHashMap<>();

    private volatile Map<String, LatestState> byCluster = Map.of();

    /** The types that are in the global cluster of their content cluster, by its id. */
    private volatile Map<String, Set<String>> globalTypes = Map.of();

    /** A node at an address. */
    private record Place(String cluster, int key, String address) {}

    /**
     * What is known of a content cluster.
     *
     * @param shards for each shard its nodes, in the order in which they are asked
     */
    private record LatestState(ClusterState state, List<List<ClusterNodes>> shards) {}

    RemoteClusters(NodeConnections connections) {
        this.connections = connections;
    }

    /**
     * Sends requests for some types to the global clusters of their content clusters from now on.
     *
     * @param types by the id of the content cluster
     */
    void route(Map<String, Set<String>> types) {
        globalTypes = Map.copyOf(types);
    }

    /** Sends messages in a version of the formats from now on. */
    void write(int format) {
        connections.writeOlder(format < FormatVersions.ONE_WRITE_REQUEST);
    }

    /** Follows new states. Requests in progress may still use the nodes of the former ones. */
    void follow(SortedMap<String, ClusterState> states) {
        Set<Place> used = new HashSet<>();
        Map<String, LatestState> next = new TreeMap<>();
        states.forEach((cluster, state) -> {
            List<List<ClusterNodes>> shards = new ArrayList<>();
            for (ShardState shard : state.shards()) {
                List<ClusterNodes> nodes = new ArrayList<>();
                for (int key : order(shard, state)) {
                    client(cluster, key, state, used)
                            .map(client -> new ClusterNodes(client, client))
                            .ifPresent(nodes::add);
                }
                shards.add(List.copyOf(nodes));
            }
            next.put(cluster, new LatestState(state, List.copyOf(shards)));
        });
        Map<String, LatestState> last = byCluster;
        byCluster = Map.copyOf(next);
        clients.forEach((place, client) -> {
            if (isDown(place, byCluster) && !isDown(place, last)) {
                client.abandonCalls("the node does not report any more");
            }
        });
        clients.entrySet()
                .removeIf(each -> {
                    boolean isUnused = !used.contains(each.getKey());
                    if (isUnused) {
                        each.getValue().close();
                    }
                    return isUnused;
                });
    }

    private static boolean isDown(Place place, Map<String, LatestState> of) {
        LatestState cluster = of.get(place.cluster());
        NodeState node = cluster == null ? null : cluster.state().nodes().get(place.key());
        return node != null && node.status() == Status.DOWN;
    }

    /** Returns the nodes with replicas of a shard: the leader, then those that work. */
    private static List<Integer> order(ShardState shard, ClusterState state) {
        List<Integer> order = new ArrayList<>();
        shard.leader().ifPresent(order::add);
        for (boolean works : new boolean[] {true, false}) {
            for (Replica replica : shard.voters()) {
                boolean isUp =
                        Optional.ofNullable(state.nodes().get(replica.node()))
                                .filter(node -> node.status() != Status.DOWN)
                                .isPresent();
                if (isUp == works && !order.contains(replica.node())) {
                    order.add(replica.node());
                }
            }
        }
        return order;
    }

    private Optional<NodeClient> client(
            String cluster, int key, ClusterState state, Set<Place> used) {
        NodeState node = state.nodes().get(key);
        if (node == null || node.addresses().requests().isEmpty()) {
            return Optional.empty();
        }
        var place = new Place(cluster, key, node.addresses().requests());
        used.add(place);
        return Optional.of(
                clients.computeIfAbsent(
                        place,
                        _ ->
                                connections.connect(
                                        HostSettings.address(place.address()),
                                        HostedCluster.identity(cluster, key))));
    }

    private ClusterNodes newNodes(String cluster) {
        PartitionReplicas replicas =
                partition -> {
                    LatestState now = byCluster.get(cluster);
                    return now == null
                            ? List.of()
                            : now.shards().get(partition % now.shards().size());
                };
        return new ClusterNodes(
                new ReplicatedDocuments(replicas, threads),
                new ReplicatedSearch(replicas, threads));
    }

    @Override
    public ClusterNodes nodes(String cluster, String documentType) {
        if (!byCluster.containsKey(cluster)) {
            throw new IllegalArgumentException(
                    "the nodes of content cluster '%s' are not known".formatted(cluster));
        }
        boolean isGlobal = globalTypes.getOrDefault(cluster, Set.of()).contains(documentType);
        return nodes.computeIfAbsent(
                isGlobal ? GlobalClusters.of(cluster) : cluster, this::newNodes);
    }

    @Override
    public NodeHealth health() {
        List<String> problems = new ArrayList<>();
        byCluster.forEach((cluster, now) -> {
            long without =
                    now.state().shards().stream().filter(shard -> shard.leader().isEmpty()).count();
            if (without > 0) {
                problems.add(
                        "content cluster '%s': %d of %d shards have no leader"
                                .formatted(cluster, without, now.shards().size()));
            }
        });
        return new NodeHealth(Optional.empty(), problems);
    }

    @Override
    public void close() {
        threads.shutdown();
        clients.values().forEach(NodeClient::close);
    }
}
