package org.crabro.protocol.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.crabro.protocol.cluster.NodeReport.Configuration;
import org.crabro.protocol.cluster.NodeReport.ShardReport;
import org.crabro.protocol.cluster.NodeState.Status;

/**
 * The nodes and shards of a content cluster. The config server makes each state from the one before
 * and the reports of the nodes, and sends it to all nodes and containers.
 *
 * @param version rises with every change
 * @param nodes by distribution key: the nodes of the application, and those that still have
 *     replicas
 * @param shards their number never changes
 */
public record ClusterState(
        long version, SortedMap<Integer, NodeState> nodes, List<ShardState> shards) {
    public ClusterState {
        nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
        shards = List.copyOf(shards);
    }

    /** Returns the state of a cluster before its first node. */
    public static ClusterState empty(int shards) {
        return new ClusterState(
                0, new TreeMap<>(), Collections.nCopies(shards, ShardState.unformed(List.of())));
    }

    /**
     * What the application and operators want.
     *
     * @param redundancy at least 1
     * @param capacities of the nodes of the application, by distribution key, above 0
     * @param maintenance the nodes on which an operator works
     */
    public record Wanted(
            int redundancy, SortedMap<Integer, Double> capacities, Set<Integer> maintenance) {
        public Wanted {
            capacities = Collections.unmodifiableSortedMap(new TreeMap<>(capacities));
            maintenance = Set.copyOf(maintenance);
        }
    }

    /**
     * A change of the replicas of a shard.
     *
     * @param voters the replicas that should vote
     * @param added those of them that do not vote yet
     */
    public record ShardMove(int shard, List<Replica> voters, List<Replica> added) {}

    /**
     * Returns the state after this; this itself if nothing has changed.
     *
     * @param reports the last report of each node, by distribution key
     * @param silent the nodes whose last report is too old
     */
    public ClusterState next(Wanted wanted, Map<Integer, NodeReport> reports, Set<Integer> silent) {
        var nextNodes = new TreeMap<Integer, NodeState>();
        Set<Integer> known = new HashSet<>(wanted.capacities().keySet());
        shards.forEach(shard -> shard.voters().forEach(voter -> known.add(voter.node())));
        known.remove(Replica.UNKNOWN);
        for (int node : known) {
            nextNodes.put(node, node(node, wanted, reports, silent));
        }
        List<List<Integer>> desired = desired(wanted).shards();
        var nextShards = new ArrayList<ShardState>();
        for (int shard = 0; shard < shards.size(); shard++) {
            nextShards.add(shard(shard, desired.get(shard), nextNodes, reports));
        }
        var next = new ClusterState(version, nextNodes, nextShards);
        return next.equals(this) ? this : new ClusterState(version + 1, nextNodes, nextShards);
    }

    private NodeState node(
            int node, Wanted wanted, Map<Integer, NodeReport> reports, Set<Integer> silent) {
        NodeState before = nodes.getOrDefault(node, NodeState.UNKNOWN);
        NodeReport report = reports.get(node);
        Status status = Status.DOWN;
        if (report != null && !silent.contains(node)) {
            status = wanted.maintenance().contains(node) ? Status.MAINTENANCE : Status.UP;
        }
        return report == null
                ? new NodeState(
                        status, before.peer(), before.addresses(), before.generation(), false)
                : new NodeState(
                        status,
                        report.peer(),
                        report.addresses(),
                        report.generation(),
                        status != Status.DOWN && !report.load().refusal().isEmpty());
    }

    private Placement desired(Wanted wanted) {
        var before = new Placement(shards.stream().map(ShardState::desired).toList());
        int count = wanted.capacities().size();
        // Replicas stay where they are as long as the application names no nodes.
        return count == 0
                ? before
                : before.next(wanted.capacities(), Placement.replicas(wanted.redundancy(), count));
    }

    private ShardState shard(
            int number,
            List<Integer> desired,
            Map<Integer, NodeState> nextNodes,
            Map<Integer, NodeReport> reports) {
        ShardState before = shards.get(number);
        List<Replica> voters = before.voters();
        if (voters.isEmpty()) {
            // All must be known: a shard with fewer voters could lose writes when others join.
            List<Replica> all = replicas(desired, nextNodes);
            return all.size() < desired.size()
                    ? ShardState.unformed(desired)
                    : ShardState.formed(desired, all);
        }
        long configuration = before.configuration();
        long term = before.term();
        Optional<Integer> leader = Optional.empty();
        for (NodeReport report : reports.values()) {
            for (ShardReport replica : report.shards()) {
                boolean isUp =
                        nextNodes.getOrDefault(report.node(), NodeState.UNKNOWN).status()
                                != Status.DOWN;
                if (replica.shard() == number && replica.isLeader() && replica.term() >= term) {
                    term = replica.term();
                    leader = isUp ? Optional.of(report.node()) : Optional.empty();
                    if (replica.configuration().isPresent()
                            && replica.configuration().get().index() >= configuration) {
                        Configuration newest = replica.configuration().get();
                        configuration = newest.index();
                        voters = named(newest.voters(), before, reports.values());
                    }
                }
            }
        }
        return new ShardState(
                desired,
                voters,
                configuration,
                seeded(number, voters, nextNodes, reports),
                term,
                leader);
    }

    private static List<Replica> seeded(
            int shard,
            List<Replica> voters,
            Map<Integer, NodeState> nextNodes,
            Map<Integer, NodeReport> reports) {
        List<Replica> seeded = new ArrayList<>();
        nextNodes.forEach((node, state) -> {
            NodeReport report = reports.get(node);
            var replica = new Replica(node, state.peer());
            if (report != null
                    && state.status() != Status.DOWN
                    && !voters.contains(replica)
                    && report.shards().stream()
                            .anyMatch(each -> each.shard() == shard && each.copy().isEmpty())) {
                seeded.add(replica);
            }
        });
        return seeded;
    }

    /**
     * Returns the replicas of peers. If the node of a peer is not known, it lost its data before
     * the config server got a report that it votes.
     */
    private static List<Replica> named(
            List<String> peers, ShardState before, Collection<NodeReport> reports) {
        var known = new ArrayList<>(before.voters());
        // A node that was voted in may not be wanted any more.
        reports.forEach(report -> known.add(new Replica(report.node(), report.peer())));
        return peers.stream()
                .map(peer ->
                        known.stream()
                                .filter(replica -> replica.peer().equals(peer))
                                .findFirst()
                                .orElseGet(() -> new Replica(Replica.UNKNOWN, peer)))
                .toList();
    }

    /** Returns the replicas of nodes, without the nodes whose peer is not known. */
    private static List<Replica> replicas(List<Integer> of, Map<Integer, NodeState> nodes) {
        return of.stream()
                .map(node -> new Replica(node, nodes.getOrDefault(node, NodeState.UNKNOWN).peer()))
                .filter(replica -> !replica.peer().isEmpty())
                .toList();
    }

    /**
     * Returns the changes of replicas that should be made now, in the order of the shards. Each
     * adds one replica, removes one, or both. Each node gets one replica at a time, and nodes that
     * are down get none.
     */
    public List<ShardMove> moves() {
        Set<Integer> busy = new HashSet<>();
        List<ShardMove> moves = new ArrayList<>();
        for (int number = 0; number < shards.size(); number++) {
            move(number, busy)
                    .ifPresent(move -> {
                        move.added().forEach(each -> busy.add(each.node()));
                        moves.add(move);
                    });
        }
        return moves;
    }

    private Optional<ShardMove> move(int number, Set<Integer> busy) {
        ShardState shard = shards.get(number);
        if (shard.voters().isEmpty()) {
            return Optional.empty();
        }
        List<Replica> target = replicas(shard.desired(), nodes);
        Optional<Replica> added =
                target.stream()
                        .filter(each -> !shard.voters().contains(each))
                        .filter(each -> isUp(each.node()) && !busy.contains(each.node()))
                        .findFirst();
        // First the lost data of the added node, then a node that is down.
        Optional<Replica> removed =
                shard.voters().stream()
                        .filter(each -> !target.contains(each))
                        .min(
                                Comparator.comparing((Replica each) ->
                                                added.map(Replica::node)
                                                        .filter(node -> node == each.node())
                                                        .isEmpty())
                                        .thenComparing(each -> isUp(each.node())));
        var voters = new ArrayList<>(shard.voters());
        int excess = voters.size() + (added.isPresent() ? 1 : 0) - shard.desired().size();
        if (excess > 0) {
            removed.ifPresent(voters::remove);
        }
        added.ifPresent(voters::add);
        return voters.equals(shard.voters())
                ? Optional.empty()
                : Optional.of(new ShardMove(number, voters, added.stream().toList()));
    }

    /** Returns the first node with a replica of a shard that has no room for puts. */
    public Optional<Integer> fullNode(int shard) {
        return shards.get(shard).voters().stream()
                .map(Replica::node)
                .filter(node -> nodes.getOrDefault(node, NodeState.UNKNOWN).isFull())
                .findFirst();
    }

    private boolean isUp(int node) {
        return nodes.getOrDefault(node, NodeState.UNKNOWN).status() == Status.UP;
    }
}
