package org.crabro.protocol.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.crabro.protocol.cluster.ClusterState.ShardMove;
import org.crabro.protocol.cluster.ClusterState.Wanted;
import org.crabro.protocol.cluster.NodeReport.Configuration;
import org.crabro.protocol.cluster.NodeReport.Copy;
import org.crabro.protocol.cluster.NodeReport.NodeLoad;
import org.crabro.protocol.cluster.NodeReport.ShardReport;
import org.crabro.protocol.cluster.NodeState.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterStateTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int SHARDS = 4;
    private static final NodeLoad IDLE = new NodeLoad("", 0.1, 0.1, 0);

    private final Map<Integer, NodeReport> reports = new HashMap<>();
    private ClusterState state = ClusterState.empty(SHARDS);

    @Test
    void formsShardsWhenAllTheirNodesHaveReported() {
        next(wanted(3, 0, 1, 2));
        assertThat(state.version()).isEqualTo(1);
        assertThat(state.shards())
                .allSatisfy(shard -> {
                    assertThat(shard.desired()).containsExactlyInAnyOrder(0, 1, 2);
                    assertThat(shard.voters()).isEmpty();
                });
        report(0, "a-1");
        report(1, "b-1");
        next(wanted(3, 0, 1, 2));
        assertThat(state.shards()).allSatisfy(shard -> assertThat(shard.voters()).isEmpty());

        report(2, "c-1");
        next(wanted(3, 0, 1, 2));

        assertThat(state.shards())
                .allSatisfy(shard ->
                        assertThat(shard.voters())
                                .containsExactlyInAnyOrder(
                                        new Replica(0, "a-1"),
                                        new Replica(1, "b-1"),
                                        new Replica(2, "c-1")));
        assertThat(state.moves()).isEmpty();
        assertThat(next(wanted(3, 0, 1, 2))).isFalse();
    }

    @Test
    void followsTheLeaderOfTheHighestTerm() {
        form();
        report(0, "a-1", leads(0, 3));
        report(1, "b-1", leads(0, 5));
        report(2, "c-1", follows(0, 5, "b-1"));
        next(wanted(3, 0, 1, 2));
        assertThat(state.shards().getFirst().leader()).contains(1);
        assertThat(state.shards().getFirst().term()).isEqualTo(5);

        report(1, "b-1");
        next(wanted(3, 0, 1, 2));
        assertThat(state.shards().getFirst().leader()).as("an older term").isEmpty();

        report(1, "b-1", leads(0, 6));
        report(2, "c-1", follows(0, 6, "b-1"));
        next(wanted(3, 0, 1, 2), Set.of(1));
        assertThat(state.nodes())
                .containsEntry(1, new NodeState(Status.DOWN, "b-1", addresses(1), 1, false));
        assertThat(state.shards().getFirst().leader()).as("a silent node").isEmpty();
    }

    @Test
    void knowsWhichShardsHaveAFullNode() {
        form();
        assertThat(state.fullNode(0)).isEmpty();

        reports.put(
                2,
                new NodeReport(
                        2, "c-1", addresses(2), 1, List.of(), new NodeLoad("full", 1, 0.1, 0)));
        next(wanted(3, 0, 1, 2));
        assertThat(state.fullNode(0)).contains(2);

        next(wanted(3, 0, 1, 2), Set.of(2));
        assertThat(state.fullNode(0)).as("a node that is down takes no rows").isEmpty();
    }

    @Test
    void replacesANodeThatLostItsData() {
        form();
        report(2, "c-2");

        next(wanted(3, 0, 1, 2));

        var lost = new Replica(2, "c-1");
        var replacement = new Replica(2, "c-2");
        assertThat(state.shards().getFirst().voters()).contains(lost).doesNotContain(replacement);
        assertThat(state.moves())
                .hasSize(1)
                .allSatisfy(move -> {
                    assertThat(move.voters()).contains(replacement).doesNotContain(lost);
                    assertThat(move.added()).containsExactly(replacement);
                });
    }

    @Test
    void movesNothingToNodesThatAreDown() {
        form();
        report(3, "d-1");
        next(wanted(3, 0, 1, 2, 3), Set.of(3));
        assertThat(state.shards()).anySatisfy(shard -> assertThat(shard.desired()).contains(3));
        assertThat(state.moves()).isEmpty();

        next(wanted(3, 0, 1, 2, 3));

        assertThat(state.moves()).hasSize(1);
    }

    @Test
    void keepsANodeUntilItsReplicasHaveMoved() {
        form();
        report(3, "d-1");

        next(wanted(3, 0, 1, 3));

        assertThat(state.nodes()).containsKey(2);
        assertThat(state.shards())
                .allSatisfy(
                        shard -> assertThat(shard.desired()).containsExactlyInAnyOrder(0, 1, 3));
    }

    @Test
    void countsAReplicaAsSeededOnceItsCopiesAreComplete() {
        form();
        var copied =
                new ShardReport(1, 0, false, Optional.empty(), -1, Optional.of(new Copy(0, 5, 9)));
        report(3, "d-1", copied);
        next(wanted(3, 0, 1, 2, 3));
        assertThat(state.shards().get(1).seeded()).isEmpty();

        report(3, "d-1", new ShardReport(1, 2, false, Optional.empty(), 7, Optional.empty()));
        next(wanted(3, 0, 1, 2, 3));

        assertThat(state.shards().get(1).seeded()).containsExactly(new Replica(3, "d-1"));
        next(wanted(3, 0, 1, 2, 3), Set.of(3));
        assertThat(state.shards().get(1).seeded()).as("a silent node").isEmpty();
    }

    @Test
    void knowsTheNewestCommittedVoters() {
        form();
        report(3, "d-1");
        next(wanted(3, 0, 1, 2, 3));

        report(0, "a-1", leads(4, "a-1", "b-1", "d-1"));
        report(1, "b-1", has(4, "a-1", "b-1", "d-1"));
        next(wanted(3, 0, 1, 2, 3));

        ShardState first = state.shards().getFirst();
        assertThat(first.configuration()).isEqualTo(4);
        assertThat(first.voters()).extracting(Replica::node).containsExactly(0, 1, 3);
        report(0, "a-1", leads(3, "a-1", "b-1", "c-1"));
        next(wanted(3, 0, 1, 2, 3));
        assertThat(state.shards().getFirst().voters()).as("an older one").isEqualTo(first.voters());
    }

    /** The leader's report may come before that of the node that lost its data. */
    @Test
    void learnsTheNodeOfAVoterWhenItReports() {
        form();
        report(0, "a-1", leads(4, "a-1", "b-1", "c-2"));
        report(1, "b-1", has(4, "a-1", "b-1", "c-2"));
        next(wanted(3, 0, 1, 2));
        assertThat(state.shards().getFirst().voters())
                .contains(new Replica(Replica.UNKNOWN, "c-2"));

        report(2, "c-2");
        next(wanted(3, 0, 1, 2));

        assertThat(state.shards().getFirst().voters())
                .containsExactly(
                        new Replica(0, "a-1"), new Replica(1, "b-1"), new Replica(2, "c-2"));
        assertThat(state.moves()).noneMatch(move -> move.shard() == 0);
    }

    private static ShardReport has(long index, String... voters) {
        return new ShardReport(
                0,
                1,
                false,
                Optional.of(new Configuration(index, List.of(voters))),
                index,
                Optional.empty());
    }

    private static ShardReport leads(long index, String... voters) {
        return new ShardReport(
                0,
                1,
                true,
                Optional.of(new Configuration(index, List.of(voters))),
                index,
                Optional.empty());
    }

    @Test
    void leavesReplicasInPlaceIfTheApplicationNamesNoNodes() {
        form();
        ClusterState before = state;

        next(wanted(3));

        assertThat(state.shards()).isEqualTo(before.shards());
        assertThat(state.nodes()).isEqualTo(before.nodes());
    }

    /** Nodes join, leave, fail, lose their data and come back; leaders change; moves end late. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void reachesTheDesiredReplicasAfterAnyHistory(boolean isEverywhere) {
        for (long seed = SEED; seed < SEED + 100; seed++) {
            new History(seed, isEverywhere).run();
        }
    }

    @Test
    void letsAllOtherNodesListen() {
        state = ClusterState.everywhere(1);
        form();
        assertThat(state.listeners(0)).isEqualTo(ShardListeners.NONE);
        report(0, "a-1", leads(1, "a-1", "b-1", "c-1"));
        report(1, "b-1", has(1, "a-1", "b-1", "c-1"));

        report(3, "d-1");
        next(wanted(2, 0, 1, 2, 3));

        var added = new Replica(3, "d-1");
        List<Replica> voters = state.shards().getFirst().voters();
        assertThat(state.listeners(0)).isEqualTo(new ShardListeners(List.of(3), List.of()));
        assertThat(state.isWhole(3)).isFalse();
        assertThat(state.moves())
                .containsExactly(new ShardMove(0, voters, List.of(added), List.of(added)));

        for (String each : List.of("a-1", "b-1")) {
            report(
                    each.charAt(0) - 'a',
                    each,
                    knows(each.equals("a-1"), List.of("a-1", "b-1", "c-1"), List.of("d-1")));
        }
        next(wanted(2, 0, 1, 2, 3));
        assertThat(state.listeners(0).replicas()).containsExactly(added);
        assertThat(state.isWhole(3)).isTrue();
        assertThat(state.moves()).isEmpty();
    }

    @Test
    void letsAListenerVoteInThePlaceOfARetiredNode() {
        state = ClusterState.everywhere(1);
        report(3, "d-1");
        report(0, "a-1");
        report(1, "b-1");
        report(2, "c-1");
        next(wanted(2, 0, 1, 2, 3));
        ShardState formed = state.shards().getFirst();
        Replica listener = state.listeners(0).replicas().getFirst();
        assertThat(formed.voters()).hasSize(3).doesNotContain(listener);
        int retired = formed.desired().get(1);

        next(wanted(2, IntStream.range(0, 4).filter(node -> node != retired).toArray()));

        assertThat(state.moves()).hasSize(1);
        ShardMove move = state.moves().getFirst();
        assertThat(move.added()).as("it has all documents").isEmpty();
        assertThat(move.listeners()).isEmpty();
        assertThat(move.voters())
                .hasSize(3)
                .contains(listener)
                .noneMatch(each -> each.node() == retired);
    }

    private static ShardReport knows(boolean leads, List<String> voters, List<String> listeners) {
        return new ShardReport(
                0,
                1,
                leads,
                Optional.of(new Configuration(2, voters, Optional.of(listeners))),
                2,
                Optional.empty());
    }

    private void form() {
        report(0, "a-1");
        report(1, "b-1");
        report(2, "c-1");
        next(wanted(3, 0, 1, 2));
    }

    private static Wanted wanted(int redundancy, int... nodes) {
        var capacities = new TreeMap<Integer, Double>();
        for (int node : nodes) {
            capacities.put(node, 1.0);
        }
        return new Wanted(redundancy, capacities, Set.of());
    }

    private void report(int node, String peer, ShardReport... shards) {
        reports.put(node, new NodeReport(node, peer, addresses(node), 1, List.of(shards), IDLE));
    }

    private static NodeAddresses addresses(int node) {
        return new NodeAddresses("host" + node + ":1", "host" + node + ":2");
    }

    private static ShardReport leads(int shard, long term) {
        return new ShardReport(shard, term, true, Optional.empty(), 10, Optional.empty());
    }

    private static ShardReport follows(int shard, long term, String leader) {
        return new ShardReport(
                shard,
                term,
                false,
                Optional.of(
                        new Configuration(
                                -1,
                                List.of("a-1", "b-1", "c-1"),
                                Optional.empty(),
                                Optional.of(leader))),
                10,
                Optional.empty());
    }

    private boolean next(Wanted wanted) {
        return next(wanted, Set.of());
    }

    private boolean next(Wanted wanted, Set<Integer> silent) {
        ClusterState before = state;
        state = before.next(wanted, reports, silent);
        assertThat(state.version()).isBetween(before.version(), before.version() + 1);
        return state.version() > before.version();
    }

    /** A cluster of nodes with real configurations of shards, which change by moves alone. */
    private static final class History {
        private final long seed;
        private final Random random;
        private final Map<Integer, String> peers = new TreeMap<>();
        private final Set<Integer> down = new HashSet<>();
        private final Set<Integer> members = new HashSet<>();
        private final Map<Integer, NodeReport> heard = new HashMap<>();

        /** The voters and the terms of the shards, as they are. */
        private final List<List<Replica>> voters = new ArrayList<>();

        private final List<List<Replica>> listeners = new ArrayList<>();
        private final boolean isEverywhere;
        private final long[] configurations = new long[SHARDS];
        private final long[] terms = new long[SHARDS];
        private final int[] leaders = new int[SHARDS];
        private ClusterState state;
        private int lastPeer;

        History(long seed, boolean isEverywhere) {
            this.seed = seed;
            this.isEverywhere = isEverywhere;
            this.state =
                    isEverywhere ? ClusterState.everywhere(SHARDS) : ClusterState.empty(SHARDS);
            this.random = new Random(seed);
        }

        void run() {
            for (int node = 0; node < 3; node++) {
                join(node);
            }
            for (int i = 0; i < SHARDS; i++) {
                voters.add(List.of());
                listeners.add(List.of());
            }
            for (int i = 0; i < 200; i++) {
                step();
            }
            down.clear();
            for (int i = 0; i < 200; i++) {
                observe(Set.of());
                state.moves().forEach(this::finish);
            }
            String what = "seed %d: %s".formatted(seed, state);
            assertThat(state.moves()).as(what).isEmpty();
            for (ShardState shard : state.shards()) {
                assertThat(shard.voters().stream().map(Replica::node))
                        .as(what)
                        .containsExactlyInAnyOrderElementsOf(shard.desired());
            }
            assertThat(state.nodes().keySet()).as(what).isEqualTo(members);
            for (int shard = 0; shard < SHARDS; shard++) {
                Set<Integer> all = new HashSet<>(state.shards().get(shard).desired());
                state.listeners(shard).replicas().forEach(each -> all.add(each.node()));
                assertThat(all)
                        .as(what)
                        .isEqualTo(
                                isEverywhere
                                        ? members
                                        : Set.copyOf(state.shards().get(shard).desired()));
            }
        }

        private void step() {
            switch (random.nextInt(7)) {
                case 0 -> {
                    if (members.size() < 8) {
                        join(peers.size());
                    }
                }
                case 1 -> {
                    if (members.size() > 3) {
                        members.remove(any(members));
                    }
                }
                case 2 -> down.add(any(peers.keySet()));
                case 3 -> down.clear();
                case 4 -> {
                    int lost = any(peers.keySet());
                    if (isFormed() && voters.stream().allMatch(each -> works(each, Set.of(lost)))) {
                        peers.put(lost, "peer-" + ++lastPeer);
                    }
                }
                default ->
                        state.moves().stream()
                                .filter(_ -> random.nextBoolean())
                                .forEach(this::finish);
            }
            observe(down);
        }

        private void join(int node) {
            peers.put(node, "peer-" + ++lastPeer);
            members.add(node);
        }

        private boolean isFormed() {
            return state.shards().stream().noneMatch(shard -> shard.voters().isEmpty());
        }

        private int any(Set<Integer> of) {
            return of.stream().sorted().skip(random.nextInt(of.size())).findFirst().orElseThrow();
        }

        private void finish(ShardMove move) {
            assertThat(move.added()).noneMatch(replica -> down.contains(replica.node()));
            List<Replica> before = voters.get(move.shard());
            if (!peersOf(before).equals(peersOf(state.shards().get(move.shard()).voters()))) {
                // The leader knows that the move is out of date.
                return;
            }
            if (!works(before, down) || !works(move.voters(), down)) {
                return;
            }
            assertThat(move.added()).hasSizeLessThanOrEqualTo(1);
            assertThat(before)
                    .as("seed %d: one replica leaves at most", seed)
                    .filteredOn(each -> !peersOf(move.voters()).contains(each.peer()))
                    .hasSizeLessThanOrEqualTo(1);
            assertThat(move.listeners()).doesNotContainAnyElementsOf(move.voters());
            configurations[move.shard()]++;
            voters.set(move.shard(), move.voters());
            listeners.set(move.shard(), move.listeners());
        }

        /** Returns whether a majority of voters has its data, without those of some nodes. */
        private boolean works(List<Replica> of, Set<Integer> without) {
            long working =
                    of.stream()
                            .filter(each ->
                                    !without.contains(each.node())
                                            && each.peer().equals(peers.get(each.node())))
                            .count();
            return working > of.size() / 2;
        }

        private static List<String> peersOf(List<Replica> replicas) {
            return replicas.stream().map(Replica::peer).toList();
        }

        private void observe(Set<Integer> silent) {
            for (int shard = 0; shard < SHARDS; shard++) {
                List<Replica> now = state.shards().get(shard).voters();
                if (voters.get(shard).isEmpty()) {
                    voters.set(shard, now);
                    listeners.set(shard, state.listeners(shard).replicas());
                }
                if (random.nextInt(4) == 0 && works(voters.get(shard), silent)) {
                    terms[shard]++;
                    leaders[shard] =
                            voters.get(shard).get(random.nextInt(voters.get(shard).size())).node();
                }
            }
            peers.forEach((node, peer) -> {
                if (!silent.contains(node)) {
                    heard.put(node, report(node, peer));
                }
            });
            var capacities = new TreeMap<Integer, Double>();
            members.forEach(node -> capacities.put(node, 1.0));
            ClusterState before = state;
            state = before.next(new Wanted(2, capacities, Set.of()), heard, silent);
            check(before);
        }

        private NodeReport report(int node, String peer) {
            List<ShardReport> shards = new ArrayList<>();
            for (int shard = 0; shard < SHARDS; shard++) {
                var replica = new Replica(node, peer);
                if (voters.get(shard).contains(replica) || listeners.get(shard).contains(replica)) {
                    boolean leads =
                            terms[shard] > 0
                                    && leaders[shard] == node
                                    && voters.get(shard).contains(replica);
                    shards.add(
                            new ShardReport(
                                    shard,
                                    terms[shard],
                                    leads,
                                    Optional.of(
                                            new Configuration(
                                                    configurations[shard],
                                                    peersOf(voters.get(shard)),
                                                    Optional.of(peersOf(listeners.get(shard))),
                                                    leaderOf(shard))),
                                    0,
                                    Optional.empty()));
                }
            }
            return new NodeReport(node, peer, addresses(node), 1, shards, IDLE);
        }

        private Optional<String> leaderOf(int shard) {
            return voters.get(shard).stream()
                    .filter(each -> terms[shard] > 0 && each.node() == leaders[shard])
                    .map(Replica::peer)
                    .findFirst();
        }

        private void check(ClusterState before) {
            String what = "seed %d: %s".formatted(seed, state);
            for (int i = 0; i < SHARDS; i++) {
                ShardState shard = state.shards().get(i);
                assertThat(shard.term())
                        .as(what)
                        .isGreaterThanOrEqualTo(before.shards().get(i).term());
                assertThat(shard.desired()).as(what).doesNotHaveDuplicates().hasSize(3);
                if (!before.shards().get(i).voters().isEmpty()) {
                    assertThat(shard.voters()).as(what).isNotEmpty();
                }
                Optional<Integer> leader = shard.leader();
                assertThat(leader.filter(down::contains)).as(what).isEmpty();
            }
            Set<Integer> busy =
                    state.moves().stream()
                            .flatMap(move -> move.added().stream())
                            .map(Replica::node)
                            .collect(Collectors.toSet());
            long added = state.moves().stream().mapToLong(move -> move.added().size()).sum();
            assertThat(added).as(what).isEqualTo(busy.size());
        }
    }
}
