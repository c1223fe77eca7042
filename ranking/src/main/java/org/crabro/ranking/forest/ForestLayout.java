package org.crabro.ranking.forest;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/** Writes the trees of a forest to flat arrays, one after another, each level by level. */
final class ForestLayout {
    /** The limit of the bits for the column in a node. */
    private static final int COLUMNS_MAX = Forest.COLUMN_MASK + 1;

    private final List<String> names;
    private final Map<Integer, Integer> features = new LinkedHashMap<>();

    /** The thresholds of a column by its source; empty for members. */
    private final Map<Key, TreeSet<Double>> bounds = new LinkedHashMap<>();

    private int nodeCount;

    ForestLayout(List<String> names) {
        this.names = names;
    }

    /**
     * The properties of a split that determine its column.
     *
     * @param members the values of a category split; empty for thresholds
     */
    private record Key(int feature, boolean missingIsYes, List<Double> members) {}

    Forest lay(List<TreeNode> trees, Forest.Link link) {
        trees.forEach(this::gather);
        if (bounds.size() > COLUMNS_MAX) {
            throw new InvalidForestException(
                    "the trees split by %,d different sets of categories, and at most %,d can be"
                            .formatted(bounds.size(), COLUMNS_MAX));
        }
        var columns = new ArrayList<SplitColumn>();
        var numbers = new LinkedHashMap<Key, Integer>();
        bounds.forEach((key, thresholds) -> {
            numbers.put(key, columns.size());
            columns.add(
                    thresholds.isEmpty()
                            ? new SplitColumn.Members(
                                    key.feature, key.missingIsYes, array(key.members))
                            : new SplitColumn.Thresholds(
                                    key.feature, key.missingIsYes, array(thresholds)));
        });
        var roots = new int[trees.size()];
        var nodes = new long[nodeCount];
        var leaves = new double[nodeCount];
        int next = 0;
        var open = new ArrayDeque<Open>();
        for (int i = 0; i < roots.length; i++) {
            roots[i] = next;
            open.add(new Open(trees.get(i), next++));
            while (!open.isEmpty()) {
                Open node = open.remove();
                switch (node.tree) {
                    case TreeNode.Leaf(double value) -> {
                        nodes[node.at] = node(node.at, 0, Forest.THRESHOLD_MASK);
                        leaves[node.at] = value;
                    }
                    case TreeNode.Below below -> {
                        int column = Objects.requireNonNull(numbers.get(key(below)));
                        int threshold =
                                ((SplitColumn.Thresholds) columns.get(column))
                                        .threshold(below.threshold() + 0.0);
                        nodes[node.at] = node(next, column, threshold);
                        open.add(new Open(below.yes(), next++));
                        open.add(new Open(below.no(), next++));
                    }
                    case TreeNode.OneOf oneOf -> {
                        int column = Objects.requireNonNull(numbers.get(key(oneOf)));
                        nodes[node.at] = node(next, column, 0);
                        open.add(new Open(oneOf.yes(), next++));
                        open.add(new Open(oneOf.no(), next++));
                    }
                }
            }
        }
        return new Forest(
                features.keySet().stream().map(names::get).toList(),
                link,
                columns,
                roots,
                nodes,
                leaves);
    }

    /** A node and its position. */
    private record Open(TreeNode tree, int at) {}

    private static long node(int yes, int column, int threshold) {
        return (long) yes << Forest.CHILD_SHIFT | (long) column << Forest.COLUMN_SHIFT | threshold;
    }

    private static double[] array(Iterable<Double> rising) {
        var sorted = new TreeSet<Double>();
        rising.forEach(sorted::add);
        return sorted.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private void gather(TreeNode tree) {
        var open = new ArrayDeque<TreeNode>();
        open.push(tree);
        while (!open.isEmpty()) {
            nodeCount++;
            switch (open.pop()) {
                case TreeNode.Leaf _ -> {}
                case TreeNode.Below below -> {
                    bounds.computeIfAbsent(key(below), _ -> new TreeSet<>())
                            .add(below.threshold() + 0.0);
                    open.push(below.no());
                    open.push(below.yes());
                }
                case TreeNode.OneOf oneOf -> {
                    bounds.computeIfAbsent(key(oneOf), _ -> new TreeSet<>());
                    open.push(oneOf.no());
                    open.push(oneOf.yes());
                }
            }
        }
    }

    private Key key(TreeNode.Below below) {
        return new Key(input(below.feature()), below.missingIsYes(), List.of());
    }

    /** Adding 0 makes one zero of the two. */
    private Key key(TreeNode.OneOf oneOf) {
        List<Double> members =
                new TreeSet<>(oneOf.values().stream().map(value -> value + 0.0).toList())
                        .stream().toList();
        return new Key(input(oneOf.feature()), oneOf.missingIsYes(), members);
    }

    private int input(int feature) {
        return features.computeIfAbsent(feature, _ -> features.size());
    }
}
