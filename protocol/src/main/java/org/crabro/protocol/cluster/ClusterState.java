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
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.crabro.protocol.cluster.NodeReport.Configuration;
import org.crabro.protocol.cluster.NodeState.Status;
import org.crabro.protocol.cluster.ShardEvidence.Lead;

/**
 * The nodes and shards of a content cluster. The config server makes each state from the one before
 * and the reports of the nodes, and sends it to all nodes and containers.
 *
 * @param version rises with every change
 * @param nodes by distribution key: the nodes of the application, and those that still have
 *     replicas
 * @param shards their number never changes
 * @param listeners of each shard, if every node should have a replica of every shard; empty if only
 *     the desired voters should
 * @param hosts of the cluster, which may send requests to the nodes; empty in a state of an older
 *     release
 */
public record ClusterState(
        long version,
        SortedMap<Integer, NodeState> nodes,
        List<ShardState> shards,
        Optional<List<ShardListeners>> listeners,
        Optional<SortedSet<String>> hosts) {
    public ClusterState {
        nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
        shards = List.copyOf(shards);
        listeners = listeners.map(List::copyOf);
        hosts = hosts.map(names -> Collections.unmodifiableSortedSet(new TreeSet<>(names)));
    }

    /** A state that names no hosts. */
    public ClusterState(
            long version,
            SortedMap<Integer, NodeState> nodes,
            List<ShardState> shards,
            Optional<List<ShardListeners>> listeners) {
        this(version, nodes, shards, listeners, Optional.empty());
    }

    /** Returns the state of a cluster before its first node. */
    public static ClusterState empty(int shards) {
        return unformed(shards, Optional.empty());
    }

    /** Returns the state of a cluster whose nodes all have all documents, before its first node. */
    public static ClusterState everywhere(int shards) {
        return unformed(shards, Optional.of(Collections.nCopies(shards, ShardListeners.NONE)));
    }

    private static ClusterState unformed(int shards, Optional<List<ShardListeners>> listeners) {
        return new ClusterState(
                0,
                new TreeMap<>(),
                Collections.nCopies(shards, ShardState.unformed(List.of())),
                listeners);
    }

    /** Returns the listeners of a shard. */
    public ShardListeners listeners(int shard) {
        return listeners.map(all -> all.get(shard)).orElse(ShardListeners.NONE);
    }

    /**
     * What the application and operators want.
     *
     * @param redundancy at least 1
     * @param capacities of the nodes of the application, by distribution key, above 0
     * @param maintenance the nodes on which an operator works
     * @param hosts of the cluster
     */
    public record Wanted(
            int redundancy,
            SortedMap<Integer, Double> capacities,
            Set<Integer> maintenance,
            Optional<SortedSet<String>> hosts) {
        /** What is wanted of nodes, for any hosts. */
        public Wanted(
                int redundancy, SortedMap<Integer, Double> capacities, Set<Integer> maintenance) {
            this(redundancy, capacities, maintenance, Optional.empty());
        }

        public Wanted {
            capacities = Collections.unmodifiableSortedMap(new TreeMap<>(capacities));
            maintenance = Set.copyOf(maintenance);
        }
    }

    /**
     * A change of the replicas of a shard.
     *
     * @param voters the replicas that should vote
     * @param listeners the replicas that should not, and should have all documents
     * @param added those of both that are no replicas yet
     */
    public record ShardMove(
            int shard, List<Replica> voters, List<Replica> listeners, List<Replica> added) {}

    /**
     * Returns the state after this; this itself if nothing has changed.
     *
     * @param reports the last report of each node, by distribution key
     * @param silent the nodes whose last report is too old
     */
    public ClusterState next(Wanted wanted, Map<Integer, NodeReport> reports, Set<Integer> silent) {
        var nextNodes = new TreeMap<Integer, NodeState>();
        Set<Integer> nodes = new HashSet<>(wanted.capacities().keySet());
        replicas().forEach(replica -> nodes.add(replica.node()));
        nodes.remove(Replica.UNKNOWN);
        for (int node : nodes) {
            nextNodes.put(node, node(node, wanted, reports, silent));
        }
        List<List<Integer>> desired = desired(wanted).shards();
        var nextShards = new ArrayList<ShardState>();
        var nextListeners = new ArrayList<ShardListeners>();
        for (int shard = 0; shard < shards.size(); shard++) {
            List<Integer> voting = desired.get(shard);
            List<Integer> listening =
                    wanted.capacities().isEmpty()
                            ? listeners(shard).desired()
                            : wanted.capacities().keySet().stream()
                                    .filter(node -> !voting.contains(node))
                                    .toList();
            Shard next = shard(shard, voting, listening, nextNodes, new Evidence(reports, silent));
            nextShards.add(next.state());
            nextListeners.add(next.listeners());
        }
        Optional<List<ShardListeners>> all = listeners.map(_ -> nextListeners);
        var next = new ClusterState(version, nextNodes, nextShards, all, wanted.hosts());
        return next.equals(this)
                ? this
                : new ClusterState(version + 1, nextNodes, nextShards, all, wanted.hosts());
    }

    /** The last report of each node, and the nodes whose last report is too old. */
    private record Evidence(Map<Integer, NodeReport> reports, Set<Integer> silent) {}

    /** The replicas of a shard. */
    private record Shard(ShardState state, ShardListeners listeners) {}

    /** Returns the voters and listeners of all shards. */
    public Stream<Replica> replicas() {
        return IntStream.range(0, shards.size()).boxed().flatMap(shard -> members(shard).stream());
    }

    /** Returns the voters of a shard, then its listeners. */
    public List<Replica> members(int shard) {
        return Stream.concat(
                        shards.get(shard).voters().stream(), listeners(shard).replicas().stream())
                .toList();
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
        if (count == 0) {
            // Replicas stay where they are as long as the application names no nodes.
            return before;
        }
        var capacities = new TreeMap<>(wanted.capacities());
        if (listeners.isPresent()) {
            // Each node has all documents, whatever its capacity.
            capacities.replaceAll((_, _) -> 1.0);
        }
        return before.next(capacities, Placement.replicas(wanted.redundancy(), count));
    }

    private Shard shard(
            int number,
            List<Integer> desired,
            List<Integer> listening,
            Map<Integer, NodeState> nextNodes,
            Evidence evidence) {
        ShardState before = shards.get(number);
        if (before.voters().isEmpty()) {
            // All must be known: a shard with fewer voters could lose writes when others join.
            List<Replica> all = replicas(desired, nextNodes);
            return all.size() < desired.size()
                    ? new Shard(
                            ShardState.unformed(desired), new ShardListeners(listening, List.of()))
                    : new Shard(
                            ShardState.formed(desired, all),
                            new ShardListeners(listening, replicas(listening, nextNodes)));
        }
        Collection<NodeReport> reports = evidence.reports().values();
        List<Replica> replicas = listeners(number).replicas();
        var shown = new ShardEvidence(number, before, replicas, reports, evidence.silent());
        Configuration newest = shown.configuration();
        List<Replica> voters = named(newest.voters(), number, reports);
        List<Replica> listeners = named(newest.listeners().orElse(List.of()), number, reports);
        Lead lead = shown.leader(voters, new Lead(before.term(), before.leader()));
        List<Replica> members = Stream.concat(voters.stream(), listeners.stream()).toList();
        return new Shard(
                new ShardState(
                        desired,
                        voters,
                        newest.index(),
                        seeded(number, members, nextNodes, evidence.reports()),
                        lead.term(),
                        lead.node()),
                new ShardListeners(listening, listeners));
    }

    private static List<Replica> seeded(
            int shard,
            List<Replica> members,
            Map<Integer, NodeState> nextNodes,
            Map<Integer, NodeReport> reports) {
        List<Replica> seeded = new ArrayList<>();
        nextNodes.forEach((node, state) -> {
            NodeReport report = reports.get(node);
            var replica = new Replica(node, state.peer());
            if (report != null
                    && state.status() != Status.DOWN
                    && !members.contains(replica)
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
    private List<Replica> named(List<String> peers, int shard, Collection<NodeReport> reports) {
        // A node that was voted in may not be wanted any more. The node of a member may be unknown,
        // although it has reported since.
        List<Replica> replicas = new ArrayList<>();
        reports.forEach(report -> replicas.add(new Replica(report.node(), report.peer())));
        replicas.addAll(members(shard));
        return peers.stream()
                .map(peer ->
                        replicas.stream()
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
     * adds one replica, removes one, or both; or it removes listeners, or lets a listener vote in
     * the place of a voter. Each node gets one replica at a time, and nodes that are down get none.
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
        List<Replica> listening = listeners(number).replicas();
        List<Replica> target = replicas(shard.desired(), nodes);
        Optional<Replica> added =
                target.stream()
                        .filter(each -> !shard.voters().contains(each))
                        .filter(each ->
                                isUp(each.node())
                                        && (listening.contains(each)
                                                || !busy.contains(each.node())))
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
        if (voters.equals(shard.voters())) {
            return moveListeners(number, busy);
        }
        // A voter that should not vote any more listens from then on, if its node is wanted.
        List<Replica> wantedListeners = replicas(listeners(number).desired(), nodes);
        List<Replica> listeners =
                Stream.concat(
                                listening.stream()
                                        .filter(each ->
                                                added.filter(of -> of.node() == each.node())
                                                        .isEmpty()),
                                shard.voters().stream().filter(wantedListeners::contains))
                        .filter(each -> !voters.contains(each))
                        .toList();
        return Optional.of(
                new ShardMove(
                        number,
                        voters,
                        listeners,
                        added.stream().filter(each -> !listening.contains(each)).toList()));
    }

    /** Returns the change of listeners that should be made now, while the voters stay. */
    private Optional<ShardMove> moveListeners(int number, Set<Integer> busy) {
        ShardState shard = shards.get(number);
        List<Replica> now = listeners(number).replicas();
        List<Replica> target = replicas(listeners(number).desired(), nodes);
        // One that should vote waits until its node is up.
        List<Replica> retained =
                now.stream()
                        .filter(each ->
                                target.contains(each)
                                        || replicas(shard.desired(), nodes).contains(each))
                        .toList();
        if (retained.size() < now.size()) {
            return Optional.of(new ShardMove(number, shard.voters(), retained, List.of()));
        }
        return target.stream()
                .filter(each -> !members(number).contains(each))
                .filter(each -> isUp(each.node()) && !busy.contains(each.node()))
                .findFirst()
                .map(each ->
                        new ShardMove(
                                number,
                                shard.voters(),
                                Stream.concat(now.stream(), Stream.of(each)).toList(),
                                List.of(each)));
    }

    /** Returns the first node with a replica of a shard that has no room for puts. */
    public Optional<Integer> fullNode(int shard) {
        return members(shard).stream()
                .map(Replica::node)
                .filter(node -> nodes.getOrDefault(node, NodeState.UNKNOWN).isFull())
                .findFirst();
    }

    /**
     * Returns whether a node works and has all replicas that it should have. Until then, it should
     * lead nothing.
     */
    public boolean isWhole(int node) {
        NodeState state = nodes.getOrDefault(node, NodeState.UNKNOWN);
        var replica = new Replica(node, state.peer());
        for (int shard = 0; shard < shards.size(); shard++) {
            if ((shards.get(shard).desired().contains(node)
                            && !shards.get(shard).voters().contains(replica))
                    || (listeners(shard).desired().contains(node)
                            && !members(shard).contains(replica))) {
                return false;
            }
        }
        return state.status() == Status.UP;
    }

    private boolean isUp(int node) {
        return nodes.getOrDefault(node, NodeState.UNKNOWN).status() == Status.UP;
    }
}
