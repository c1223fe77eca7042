package org.crabro.protocol.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.crabro.protocol.cluster.NodeReport.Configuration;
import org.crabro.protocol.cluster.NodeReport.NodeLoad;
import org.crabro.protocol.cluster.NodeReport.ShardReport;
import org.crabro.protocol.cluster.ShardEvidence.Lead;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShardEvidenceTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int HISTORIES = 150;
    private static final int STEPS = 150;
    private static final int NODES = 5;

    /** A shard as it is recorded. */
    private record Recorded(List<Integer> voters, long index, Lead lead) {
        static Recorded first(List<Integer> voters) {
            return new Recorded(voters, -1, new Lead(0, Optional.empty()));
        }

        Recorded next(Map<Integer, NodeReport> reports) {
            return next(reports, Set.of());
        }

        Recorded next(Map<Integer, NodeReport> reports, Set<Integer> silent) {
            var state =
                    new ShardState(
                            List.of(),
                            voters.stream().map(ShardEvidenceTest::replica).toList(),
                            index,
                            List.of(),
                            lead.term(),
                            lead.node());
            var evidence = new ShardEvidence(0, state, List.of(), reports.values(), silent);
            Configuration newest = evidence.configuration();
            List<Integer> next = newest.voters().stream().map(ShardEvidenceTest::node).toList();
            return new Recorded(
                    next,
                    newest.index(),
                    evidence.leader(next.stream().map(ShardEvidenceTest::replica).toList(), lead));
        }
    }

    private static String peer(int node) {
        return node < 0 ? "made-up" + node : "p" + node;
    }

    private static int node(String peer) {
        return Integer.parseInt(peer.replaceFirst("^(p|made-up)", ""));
    }

    private static Replica replica(int node) {
        return new Replica(node < 0 ? Replica.UNKNOWN : node, peer(node));
    }

    private static NodeReport report(int node, ShardReport... shards) {
        return new NodeReport(
                node,
                peer(node),
                NodeAddresses.NONE,
                1,
                List.of(shards),
                new NodeLoad("", 0, 0, 0));
    }

    private static ShardReport says(
            long term, boolean leads, long index, List<Integer> voters, Optional<Integer> leader) {
        return new ShardReport(
                0,
                term,
                leads,
                Optional.of(
                        new Configuration(
                                index,
                                voters.stream().map(ShardEvidenceTest::peer).toList(),
                                Optional.of(List.of()),
                                leader.map(ShardEvidenceTest::peer))),
                index,
                Optional.empty());
    }

    /** A false report of node 2 while node 0 leads term 5 with configuration 9. */
    record Lie(String name, ShardReport report) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static List<Lie> lies() {
        return List.of(
                new Lie(
                        "a term and an index without end, and a voter that does not exist",
                        says(Long.MAX_VALUE, true, Long.MAX_VALUE, List.of(-7), Optional.of(2))),
                new Lie(
                        "the only voter of a later term",
                        says(6, true, 10, List.of(2), Optional.of(2))),
                new Lie(
                        "the only voter of the term",
                        says(5, true, 10, List.of(2), Optional.of(2))),
                new Lie(
                        "the leader of the term, too",
                        says(5, true, 9, List.of(0, 1, 2), Optional.of(2))),
                new Lie(
                        "the leader of a later term",
                        says(8, true, 9, List.of(0, 1, 2), Optional.of(2))),
                new Lie(
                        "a high index with the true voters",
                        says(5, true, 1L << 62, List.of(0, 1, 2), Optional.of(2))),
                new Lie("voters twice", says(5, true, 11, List.of(2, 2, 2), Optional.of(2))),
                new Lie(
                        "other voters that exist",
                        says(5, true, 11, List.of(2, 3, 4), Optional.of(2))),
                new Lie(
                        "a negative term and index",
                        says(-5, true, Long.MIN_VALUE, List.of(2), Optional.of(2))),
                new Lie("that another one leads", says(5, false, 9, List.of(3), Optional.of(3))),
                new Lie(
                        "nothing of the configuration",
                        new ShardReport(
                                0, 5, true, Optional.empty(), Long.MAX_VALUE, Optional.empty())));
    }

    @ParameterizedTest
    @MethodSource("lies")
    void changesNothingForTheReportOfOneVoter(Lie lie) {
        Map<Integer, NodeReport> reports = true3();
        Recorded before = Recorded.first(List.of(0, 1, 2)).next(reports);
        assertThat(before)
                .isEqualTo(new Recorded(List.of(0, 1, 2), 9, new Lead(5, Optional.of(0))));

        reports.put(2, report(2, lie.report()));
        assertThat(before.next(reports)).as("with the leader and a follower").isEqualTo(before);

        reports.put(3, report(3, lie.report()));
        assertThat(before.next(reports)).as("with a node that has no replica").isEqualTo(before);

        reports.remove(1);
        assertThat(before.next(reports)).as("without the follower").isEqualTo(before);
    }

    private static Map<Integer, NodeReport> true3() {
        Map<Integer, NodeReport> reports = new TreeMap<>();
        for (int node = 0; node < 3; node++) {
            reports.put(
                    node, report(node, says(5, node == 0, 9, List.of(0, 1, 2), Optional.of(0))));
        }
        return reports;
    }

    /** Such as one that an older release has recorded. */
    @ParameterizedTest
    @MethodSource("lies")
    void isRepairedByTheNextTrueReports(Lie lie) {
        Configuration told = lie.report().configuration().orElse(new Configuration(3, List.of()));
        List<Integer> voters =
                told.voters().isEmpty()
                        ? List.of(0, 1, 2)
                        : told.voters().stream().map(ShardEvidenceTest::node).toList();
        var wrong =
                new Recorded(voters, told.index(), new Lead(lie.report().term(), Optional.of(2)));

        assertThat(wrong.next(true3()).next(true3()))
                .isEqualTo(new Recorded(List.of(0, 1, 2), 9, new Lead(5, Optional.of(0))));
    }

    @Test
    void believesTheOnlyVoter() {
        Map<Integer, NodeReport> reports = new TreeMap<>();
        reports.put(1, report(1, says(3, true, 4, List.of(1), Optional.of(1))));

        assertThat(Recorded.first(List.of(1)).next(reports))
                .isEqualTo(new Recorded(List.of(1), 4, new Lead(3, Optional.of(1))));
    }

    @Test
    void letsOneOfTwoVotersLeave() {
        Map<Integer, NodeReport> reports = new TreeMap<>();
        reports.put(1, report(1, says(3, true, 4, List.of(1), Optional.of(1))));
        var two = new Recorded(List.of(0, 1), 2, new Lead(3, Optional.of(1)));
        reports.put(0, report(0, says(3, false, 2, List.of(0, 1), Optional.of(1))));
        assertThat(two.next(reports).voters()).as("the other one knows nothing of it").hasSize(2);

        reports.put(0, report(0));
        assertThat(two.next(reports).voters()).containsExactly(1);
    }

    @Test
    void countsReplicasOfAnOlderReleaseByTermAndIndex() {
        var older = new ShardReport(0, 5, false, Optional.empty(), 9, Optional.empty());
        Map<Integer, NodeReport> reports = new TreeMap<>();
        reports.put(0, report(0, says(5, true, 9, List.of(0, 1, 3), Optional.empty())));
        reports.put(1, report(1, older));
        Recorded before = Recorded.first(List.of(0, 1, 2));

        assertThat(before.next(reports))
                .isEqualTo(new Recorded(List.of(0, 1, 3), 9, new Lead(5, Optional.of(0))));

        reports.put(0, report(0, says(6, true, 10, List.of(0, 1, 3), Optional.empty())));
        assertThat(before.next(reports)).as("what it has not reached").isEqualTo(before);
    }

    /**
     * Elections, changes of voters, nodes that are down, reports that arrive late and in another
     * order. In each history with lies, one node reports what it likes as often as it likes.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void followsTheTruthInAnyHistory(boolean withLies) {
        for (long seed = SEED; seed < SEED + HISTORIES; seed++) {
            new History(seed, withLies).run();
        }
    }

    /** A shard as it is. A majority of voters has each configuration and each term. */
    private static final class History {
        private final Random random;
        private final String what;
        private final Optional<Integer> liar;
        private final Map<Integer, Knowledge> nodes = new TreeMap<>();
        private final Set<Integer> down = new HashSet<>();
        private final List<Sent> underway = new ArrayList<>();
        private final Map<Integer, Integer> newest = new TreeMap<>();
        private int sent;
        private boolean isOver;
        private final Map<Integer, NodeReport> heard = new TreeMap<>();
        private List<Integer> voters = List.of(0, 1, 2);
        private final Set<Set<Integer>> configurations = new HashSet<>();
        private long index = -1;
        private long term;
        private Optional<Integer> leader = Optional.empty();
        private Recorded recorded = Recorded.first(voters);

        /** Of two reports of a host, the later one counts. */
        private record Sent(int number, NodeReport report) {}

        /** What a replica has on its disk, and the leader that it knows. */
        private record Knowledge(
                long term, long index, List<Integer> voters, Optional<Integer> leader) {}

        History(long seed, boolean withLies) {
            this.random = new Random(seed);
            this.what = "seed " + seed;
            this.liar = withLies ? Optional.of(random.nextInt(3)) : Optional.empty();
            configurations.add(Set.copyOf(voters));
            for (int node : voters) {
                nodes.put(node, new Knowledge(0, -1, voters, Optional.empty()));
            }
        }

        void run() {
            for (int i = 0; i < STEPS; i++) {
                step();
                send();
                deliver(random.nextInt(4));
                check();
            }
            down.clear();
            do {
                elect();
            } while (leader.isEmpty() || !voters.contains(leader.get()) || leader.equals(liar));
            for (int node : voters) {
                nodes.put(node, new Knowledge(term, index, voters, leader));
            }
            underway.clear();
            isOver = true;
            for (int round = 0; round < 2; round++) {
                send();
                deliver(NODES);
            }
            assertThat(recorded.voters()).as(what).containsExactlyInAnyOrderElementsOf(voters);
            assertThat(recorded.index()).as(what).isEqualTo(index);
            assertThat(recorded.lead()).as(what).isEqualTo(new Lead(term, leader));
        }

        private Knowledge knowledge(int node) {
            return nodes.getOrDefault(node, new Knowledge(0, -1, List.of(), Optional.empty()));
        }

        private void step() {
            switch (random.nextInt(6)) {
                case 0 -> elect();
                case 1 -> change();
                case 2 -> down.add(random.nextInt(NODES));
                case 3 -> down.clear();
                default -> learn();
            }
        }

        private void elect() {
            int candidate = voters.get(random.nextInt(voters.size()));
            Knowledge knowledge = knowledge(candidate);
            if (!isMajority(voters) || down.contains(candidate) || knowledge.index() < index) {
                return;
            }
            term++;
            index++;
            leader = Optional.of(candidate);
            reach(voters, candidate);
        }

        /** The leader adds a voter, removes one, or both, if the record has the configuration. */
        private void change() {
            if (leader.isEmpty()
                    || recorded.index() != index
                    || down.contains(leader.get())
                    || knowledge(leader.get()).term() < term) {
                return;
            }
            var next = new ArrayList<>(voters);
            List<Integer> others =
                    IntStream.range(0, NODES)
                            .filter(each -> !next.contains(each) && !down.contains(each))
                            .boxed()
                            .toList();
            // One of two voters could not be outvoted.
            boolean mayShrink = liar.isEmpty() || !others.isEmpty();
            if (mayShrink && next.size() > 1 && (next.size() == 3 || random.nextBoolean())) {
                int leaving = next.get(next.getFirst().equals(leader.get()) ? 1 : 0);
                next.removeIf(each -> each == leaving);
            }
            if (next.size() < 3
                    && !others.isEmpty()
                    && (liar.isPresent() || random.nextBoolean())) {
                next.add(others.get(random.nextInt(others.size())));
            }
            if (isMajority(voters) && isMajority(next)) {
                index++;
                List<Integer> old = voters;
                voters = List.copyOf(next);
                configurations.add(Set.copyOf(voters));
                reach(old, leader.get());
                reach(voters, leader.get());
                old.stream()
                        .filter(each -> !voters.contains(each) && knowledge(each).index() == index)
                        .forEach(nodes::remove);
            }
        }

        private boolean isMajority(List<Integer> of) {
            return of.stream().filter(each -> !down.contains(each)).count() > of.size() / 2;
        }

        /** Gives the newest configuration to a majority at least. */
        private void reach(List<Integer> of, int first) {
            int reached = 0;
            var order = new ArrayList<>(of);
            order.sort((a, b) -> Boolean.compare(b == first, a == first));
            for (int node : order) {
                boolean isNeeded = reached <= of.size() / 2;
                if (!down.contains(node) && (isNeeded || random.nextBoolean())) {
                    nodes.put(node, new Knowledge(term, index, voters, leader));
                    reached++;
                }
            }
        }

        private void learn() {
            int node = voters.get(random.nextInt(voters.size()));
            if (leader.isPresent() && !down.contains(node) && !down.contains(leader.get())) {
                nodes.put(node, new Knowledge(term, index, voters, leader));
            }
        }

        private void send() {
            for (int node = 0; node < NODES; node++) {
                Knowledge knowledge = nodes.get(node);
                boolean lies = !isOver && liar.isPresent() && liar.get() == node;
                if (lies && random.nextBoolean()) {
                    send(report(node, lie(node)));
                } else if (knowledge != null && !down.contains(node)) {
                    boolean leads = leader.isPresent() && leader.get() == node;
                    send(
                            report(
                                    node,
                                    says(
                                            knowledge.term(),
                                            leads && knowledge.term() == term,
                                            knowledge.index(),
                                            knowledge.voters(),
                                            knowledge.leader())));
                } else if (!down.contains(node)) {
                    send(report(node));
                }
            }
        }

        private void send(NodeReport report) {
            underway.add(new Sent(++sent, report));
        }

        private void hear(Sent each) {
            int node = each.report().node();
            if (each.number() > newest.getOrDefault(node, 0)) {
                newest.put(node, each.number());
                heard.put(node, each.report());
            }
        }

        private ShardReport lie(int node) {
            if (random.nextInt(3) == 0) {
                List<Lie> all = lies();
                return all.get(random.nextInt(all.size())).report();
            }
            List<Integer> told =
                    switch (random.nextInt(4)) {
                        case 0 -> List.of(node);
                        case 1 -> voters;
                        case 2 -> List.of(node, -1, -2);
                        default -> List.of(node, (node + 1) % NODES, (node + 2) % NODES);
                    };
            return says(
                    term + random.nextInt(3) - 1,
                    random.nextInt(4) > 0,
                    index + random.nextInt(4) - 1,
                    told,
                    Optional.of(node));
        }

        /** Delivers some reports in any order, with those of up to some steps ago. */
        private void deliver(int withheld) {
            if (withheld == NODES) {
                underway.forEach(this::hear);
                underway.clear();
            }
            while (underway.size() > withheld * NODES) {
                hear(underway.remove(random.nextInt(underway.size())));
                recorded = recorded.next(heard, down);
            }
            recorded = recorded.next(heard, down);
        }

        private void check() {
            assertThat(recorded.lead().term()).as(what).isLessThanOrEqualTo(term);
            assertThat(recorded.index()).as(what).isLessThanOrEqualTo(index);
            assertThat(configurations).as(what).contains(Set.copyOf(recorded.voters()));
        }
    }
}
