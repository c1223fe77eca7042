package org.crabro.protocol.cluster;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The nodes that have the replicas of each shard of a content cluster. A node has one replica of a
 * shard at most.
 *
 * @param shards for each shard the distribution keys of its nodes; the first one should lead
 */
public record Placement(List<List<Integer>> shards) {
    public Placement {
        shards = shards.stream().map(List::copyOf).toList();
        for (List<Integer> nodes : shards) {
            if (new HashSet<>(nodes).size() < nodes.size()) {
                throw new IllegalArgumentException("a node has two replicas of a shard: " + nodes);
            }
        }
    }

    /** Returns a placement without replicas. */
    public static Placement none(int shards) {
        return new Placement(Collections.nCopies(shards, List.of()));
    }

    /**
     * Returns the number of replicas of each shard. From redundancy 2 on, there are three where
     * there are nodes for them, because a majority of two ends with the first failure.
     *
     * @param redundancy at least 1
     * @param nodes number of nodes, at least 1
     */
    public static int replicas(int redundancy, int nodes) {
        return redundancy == 1 ? 1 : Math.min(3, nodes);
    }

    /**
     * Returns the placement for other nodes. Replicas stay where they are, except for these: those
     * of nodes that are not among {@code capacities}, those above {@code replicas}, and those that
     * move because another node has less for its capacity. The result depends on the arguments
     * alone.
     *
     * @param capacities the nodes that should have replicas, by distribution key: how many replicas
     *     a node should have, compared with the others; above 0
     * @param replicas of each shard, 1 to the number of nodes
     */
    public Placement next(SortedMap<Integer, Double> capacities, int replicas) {
        if (replicas < 1 || replicas > capacities.size()) {
            throw new IllegalArgumentException(
                    "%d replicas on %d nodes".formatted(replicas, capacities.size()));
        }
        return new Change(this, capacities, replicas).result();
    }

    /** Returns the number of replicas that {@code before} does not have in their place. */
    public int newReplicas(Placement before) {
        int count = 0;
        for (int shard = 0; shard < shards.size(); shard++) {
            for (int node : shards.get(shard)) {
                if (!before.shards.get(shard).contains(node)) {
                    count++;
                }
            }
        }
        return count;
    }

    /** The computation of a placement. Of equal choices, it takes the one of the lowest hash. */
    private static final class Change {
        private final List<List<Integer>> shards = new ArrayList<>();
        private final Map<Integer, Double> capacities;
        private final int replicas;

        /** The number of replicas of each node. */
        private final Map<Integer, Integer> loads = new TreeMap<>();

        Change(Placement before, Map<Integer, Double> capacities, int replicas) {
            this.capacities = capacities;
            this.replicas = replicas;
            capacities.keySet().forEach(node -> loads.put(node, 0));
            for (List<Integer> nodes : before.shards) {
                List<Integer> candidates = new ArrayList<>(nodes);
                candidates.retainAll(capacities.keySet());
                candidates.forEach(node -> loads.merge(node, 1, Integer::sum));
                shards.add(candidates);
            }
        }

        Placement result() {
            for (int shard = 0; shard < shards.size(); shard++) {
                drop(shard);
            }
            for (int shard = 0; shard < shards.size(); shard++) {
                fill(shard);
            }
            while (balance()) {
                // Each call moves one replica to a node with less.
            }
            while (balanceLeaders()) {
                // Each call gives one shard a leader that leads less.
            }
            return new Placement(shards);
        }

        private void drop(int shard) {
            List<Integer> nodes = shards.get(shard);
            while (nodes.size() > replicas) {
                Integer most =
                        nodes.stream()
                                .max(
                                        Comparator.comparingDouble((Integer node) -> share(node, 0))
                                                .thenComparingLong(node -> hash(shard, node)))
                                .orElseThrow();
                nodes.removeIf(most::equals);
                loads.merge(most, -1, Integer::sum);
            }
        }

        private void fill(int shard) {
            List<Integer> nodes = shards.get(shard);
            while (nodes.size() < replicas) {
                int least =
                        capacities.keySet().stream()
                                .filter(node -> !nodes.contains(node))
                                .min(
                                        Comparator.comparingDouble((Integer node) -> share(node, 1))
                                                .thenComparingLong(node -> hash(shard, node)))
                                .orElseThrow();
                nodes.add(least);
                loads.merge(least, 1, Integer::sum);
            }
        }

        /** Returns how full a node is with {@code more} replicas. */
        private double share(int node, int more) {
            return (loads.getOrDefault(node, 0) + more) / capacity(node);
        }

        private double capacity(int node) {
            return capacities.getOrDefault(node, 1.0);
        }

        /** Moves one replica, if its new node is then less full than its old one was. */
        private boolean balance() {
            List<Integer> fullFirst =
                    loads.keySet().stream()
                            .sorted(
                                    Comparator.comparingDouble((Integer node) -> share(node, 0))
                                            .reversed())
                            .toList();
            for (int from : fullFirst) {
                for (int to : fullFirst.reversed()) {
                    if (share(to, 1) < share(from, 0) && move(from, to)) {
                        return true;
                    }
                }
            }
            return false;
        }

        private boolean move(int from, int to) {
            OptionalInt chosen =
                    byHash(
                            IntStream.range(0, shards.size())
                                    .filter(shard -> shards.get(shard).contains(from))
                                    .filter(shard -> !shards.get(shard).contains(to)),
                            to);
            if (chosen.isEmpty()) {
                return false;
            }
            List<Integer> nodes = shards.get(chosen.getAsInt());
            nodes.set(nodes.indexOf(from), to);
            loads.merge(from, -1, Integer::sum);
            loads.merge(to, 1, Integer::sum);
            return true;
        }

        private static OptionalInt byHash(IntStream shards, int node) {
            return shards.boxed()
                    .min(Comparator.comparingLong((Integer shard) -> hash(shard, node)))
                    .map(OptionalInt::of)
                    .orElse(OptionalInt.empty());
        }

        private boolean balanceLeaders() {
            Map<Integer, Integer> leading = new TreeMap<>();
            shards.forEach(nodes -> leading.merge(nodes.getFirst(), 1, Integer::sum));
            for (List<Integer> nodes : shards) {
                double now = led(leading, nodes.getFirst(), 0);
                for (int i = 1; i < nodes.size(); i++) {
                    if (led(leading, nodes.get(i), 1) < now) {
                        Collections.swap(nodes, 0, i);
                        return true;
                    }
                }
            }
            return false;
        }

        private double led(Map<Integer, Integer> leading, int node, int more) {
            return (leading.getOrDefault(node, 0) + more) / capacity(node);
        }

        /** Returns a number that differs between shards and between nodes, as if drawn. */
        private static long hash(int shard, int node) {
            // The finalizer of MurmurHash3 for 64 bits.
            long mixed = ((long) shard << 32) + node + 0x9e3779b97f4a7c15L;
            mixed = (mixed ^ (mixed >>> 33)) * 0xff51afd7ed558ccdL;
            mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
            return mixed ^ (mixed >>> 33);
        }
    }
}
