package org.crabro.protocol.cluster;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
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
                    : new ShardState(desired, all, 0, Optional.empty());
        }
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
                    voters = named(replica.voters(), before, nextNodes).orElse(voters);
                }
            }
        }
        return new ShardState(desired, voters, term, leader);
    }

    /** Returns the replicas of peers; empty if there are none, or the node of one is not known. */
    private static Optional<List<Replica>> named(
            List<String> peers, ShardState before, Map<Integer, NodeState> nodes) {
        var known = new ArrayList<>(before.voters());
        nodes.forEach((node, state) -> known.add(new Replica(node, state.peer())));
        List<Replica> found =
                peers.stream()
                        .flatMap(peer ->
                                known.stream()
                                        .filter(replica -> replica.peer().equals(peer))
                                        .limit(1))
                        .toList();
        return found.isEmpty() || found.size() < peers.size()
                ? Optional.empty()
                : Optional.of(found);
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
     * node takes part in one at a time, and nodes that are down in none.
     */
    public List<ShardMove> moves() {
        Set<Integer> busy = new HashSet<>();
        List<ShardMove> moves = new ArrayList<>();
        for (int number = 0; number < shards.size(); number++) {
            ShardState shard = shards.get(number);
            List<Replica> target = replicas(shard.desired(), nodes);
            List<Replica> added =
                    target.stream().filter(each -> !shard.voters().contains(each)).toList();
            boolean isPossible =
                    !shard.voters().isEmpty()
                            && target.size() == shard.desired().size()
                            && added.stream()
                                    .allMatch(each ->
                                            isUp(each.node()) && !busy.contains(each.node()));
            if (isPossible && !new HashSet<>(target).equals(new HashSet<>(shard.voters()))) {
                added.forEach(each -> busy.add(each.node()));
                moves.add(new ShardMove(number, target, added));
            }
        }
        return moves;
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
