package org.crabro.protocol.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacementTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int SHARDS = 8;

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "1, 5, 1", "2, 1, 1", "2, 2, 2", "2, 3, 3", "3, 9, 3", "7, 9, 3"})
    void choosesThreeReplicasForRedundancy(int redundancy, int nodes, int expected) {
        assertThat(Placement.replicas(redundancy, nodes)).isEqualTo(expected);
    }

    /** From 3 to 24 nodes, joined and left in random order, for 1,000 seeds. */
    @Test
    void movesAboutTheShareOfANewNode() {
        var newShares = new double[25];
        var counts = new int[25];
        for (long seed = SEED; seed < SEED + 1_000; seed++) {
            var random = new Random(seed);
            SortedMap<Integer, Double> nodes = equal(3);
            var placement = Placement.none(SHARDS).next(nodes, 3);
            while (nodes.size() < 24) {
                boolean leaves = nodes.size() > 3 && random.nextInt(3) == 0;
                Placement before = placement;
                if (leaves) {
                    var keys = nodes.keySet().toArray(Integer[]::new);
                    nodes.remove(keys[random.nextInt(keys.length)]);
                } else {
                    nodes.put(nodes.lastKey() + 1 + random.nextInt(3), 1.0);
                }
                placement = before.next(nodes, 3);
                check(placement, nodes, 3, seed);
                if (!leaves) {
                    newShares[nodes.size()] += placement.newReplicas(before) / (3.0 * SHARDS);
                    counts[nodes.size()]++;
                }
            }
        }
        for (int n = 4; n <= 24; n++) {
            assertThat(newShares[n] / counts[n]).as("nodes " + n).isLessThanOrEqualTo(1.2 / n);
        }
    }

    @Test
    void movesFewReplicasOfOtherNodesWhenANodeLeaves() {
        for (long seed = SEED; seed < SEED + 200; seed++) {
            var random = new Random(seed);
            SortedMap<Integer, Double> nodes = equal(4 + random.nextInt(20));
            Placement before = Placement.none(SHARDS).next(nodes, 3);
            int leaving = random.nextInt(nodes.size());
            long replicas = before.shards().stream().filter(all -> all.contains(leaving)).count();
            nodes.remove(leaving);

            Placement after = before.next(nodes, 3);

            check(after, nodes, 3, seed);
            // Few others move: those of nodes that would have two more than another node.
            assertThat(after.newReplicas(before))
                    .as("seed " + seed)
                    .isBetween((int) replicas, (int) replicas + 2);
        }
    }

    @Test
    void fillsNodesByTheirCapacity() {
        for (long seed = SEED; seed < SEED + 200; seed++) {
            var random = new Random(seed);
            SortedMap<Integer, Double> nodes = new TreeMap<>();
            for (int i = 0; i < 6 + random.nextInt(6); i++) {
                nodes.put(i * 3, 1.0 + random.nextInt(2));
            }
            Placement placement = Placement.none(SHARDS).next(nodes, 3);
            double capacity = nodes.values().stream().mapToDouble(each -> each).sum();

            nodes.forEach((node, each) -> {
                long replicas =
                        placement.shards().stream().filter(all -> all.contains(node)).count();
                assertThat((double) replicas)
                        .isBetween(
                                Math.floor(24 * each / capacity) - 1,
                                Math.ceil(24 * each / capacity) + 1);
            });
        }
    }

    @Test
    void changesTheNumberOfReplicas() {
        SortedMap<Integer, Double> nodes = equal(5);
        Placement one = Placement.none(SHARDS).next(nodes, 1);
        Placement three = one.next(nodes, 3);
        Placement again = three.next(nodes, 1);

        check(one, nodes, 1, SEED);
        check(three, nodes, 3, SEED);
        check(again, nodes, 1, SEED);
        assertThat(three.newReplicas(one)).isEqualTo(16);
        assertThat(again.newReplicas(three)).isLessThanOrEqualTo(2);
    }

    @Test
    void staysTheSameForTheSameNodes() {
        SortedMap<Integer, Double> nodes = equal(7);
        Placement placement = Placement.none(SHARDS).next(nodes, 3);

        assertThat(placement.next(nodes, 3)).isEqualTo(placement);
    }

    @Test
    void rejectsMoreReplicasThanNodes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Placement.none(SHARDS).next(equal(2), 3))
                .withMessage("3 replicas on 2 nodes");
    }

    private static SortedMap<Integer, Double> equal(int count) {
        var nodes = new TreeMap<Integer, Double>();
        IntStream.range(0, count).forEach(node -> nodes.put(node, 1.0));
        return nodes;
    }

    /** Checks a placement on nodes of one capacity. */
    private static void check(
            Placement placement, Map<Integer, Double> nodes, int replicas, long seed) {
        String what = "%s on %s, seed %d".formatted(placement, nodes.keySet(), seed);
        assertThat(placement.shards())
                .as(what)
                .hasSize(SHARDS)
                .allSatisfy(each -> assertThat(each).hasSize(replicas).isSubsetOf(nodes.keySet()));
        int most = -Math.floorDiv(-SHARDS * replicas, nodes.size());
        int mostLed = -Math.floorDiv(-SHARDS, nodes.size());
        for (int node : nodes.keySet()) {
            assertThat(placement.shards().stream().filter(all -> all.contains(node)).count())
                    .as("node %d of %s", node, what)
                    .isLessThanOrEqualTo(most);
            assertThat(placement.shards().stream().filter(all -> all.getFirst() == node).count())
                    .as("leaders on %d of %s", node, what)
                    .isLessThanOrEqualTo(mostLed + 1);
        }
    }
}
