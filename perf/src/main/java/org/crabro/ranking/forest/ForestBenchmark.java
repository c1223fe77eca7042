package org.crabro.ranking.forest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Evaluates 500 trees over 2,000 rows of 20 features, on one thread, in batches as in a query.
 * Compares with a flat loop written by hand. One operation is one pass over all rows.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 2, time = 400, timeUnit = TimeUnit.MILLISECONDS)
public class ForestBenchmark {
    /** The number of rows of one pass. */
    public static final int ROWS = 2_000;

    /** How many trees there are. */
    public static final int TREES = 500;

    private static final int FEATURES = 20;

    /** As many rows as a block of a run has at most. */
    private static final int BATCH = 1_000;

    /**
     * {@code full}: 64 leaves, all 6 splits from the root, as XGBoost grows them; {@code leaves}:
     * 31 leaves, each grown from the heaviest, as LightGBM does.
     */
    @Param({"full", "leaves"})
    public String shape = "full";

    private final double[][] batches = new double[FEATURES][BATCH];
    private final double[][] columns = new double[FEATURES][ROWS];
    private final double[] scores = new double[ROWS];
    private final double[] into = new double[BATCH];
    private Forest.Evaluation forest =
            Forest.of(List.of(), List.of(), Forest.Link.SUM).evaluation();
    private ByHand byHand = new ByHand(List.of());
    private double[] rows = {};

    /** Grows trees whose splits divide their rows at random values. */
    @Setup
    public void grow() {
        var random = new Random(2026);
        var trees = new ArrayList<TreeNode>();
        for (int i = 0; i < TREES; i++) {
            trees.add(shape.equals("full") ? full(random, 6) : leaves(random, 31));
        }
        List<String> names = IntStream.range(0, FEATURES).mapToObj(Integer::toString).toList();
        Forest flat = Forest.of(names, trees, Forest.Link.SUM);
        if (flat.features().size() != FEATURES) {
            throw new IllegalStateException("trees of " + flat);
        }
        forest = flat.evaluation();
        byHand = new ByHand(trees);
        rows = new double[ROWS * FEATURES];
        for (int row = 0; row < ROWS; row++) {
            for (int feature = 0; feature < FEATURES; feature++) {
                double value = random.nextGaussian();
                rows[row * FEATURES + feature] = value;
                columns[flat.features().indexOf(Integer.toString(feature))][row] = value;
            }
        }
        check();
    }

    private void check() {
        double byTree = byHandTreeByTree();
        if (byTree != byHandRowByRow() || Math.abs(byTree - flat()) > 1e-6) {
            throw new IllegalStateException("they differ");
        }
    }

    /** The forest, as programs call it. */
    @Benchmark
    public double flat() {
        double sum = 0;
        for (int from = 0; from < ROWS; from += BATCH) {
            for (int feature = 0; feature < FEATURES; feature++) {
                System.arraycopy(columns[feature], from, batches[feature], 0, BATCH);
            }
            forest.evaluate(batches, BATCH, into);
            for (double score : into) {
                sum += score;
            }
        }
        return sum;
    }

    /** By hand: all trees for a row, then the next one. */
    @Benchmark
    public double byHandRowByRow() {
        double sum = 0;
        for (int row = 0; row < ROWS; row++) {
            double score = 0;
            for (int root : byHand.roots) {
                score += byHand.leaf(root, rows, row * FEATURES);
            }
            sum += score;
        }
        return sum;
    }

    /** By hand: all rows of a batch for a tree, then the next one. */
    @Benchmark
    public double byHandTreeByTree() {
        double sum = 0;
        for (int from = 0; from < ROWS; from += BATCH) {
            Arrays.fill(scores, from, from + BATCH, 0);
            for (int root : byHand.roots) {
                for (int row = from; row < from + BATCH; row++) {
                    scores[row] += byHand.leaf(root, rows, row * FEATURES);
                }
            }
            for (int row = from; row < from + BATCH; row++) {
                sum += scores[row];
            }
        }
        return sum;
    }

    /** Trees in arrays, walked until there is no feature to split by. */
    private static final class ByHand {
        private final int[] roots;
        private final int[] features;
        private final double[] values;
        private final int[] yes;
        private final int[] no;

        ByHand(List<TreeNode> trees) {
            var nodes = new ArrayList<TreeNode>();
            roots = new int[trees.size()];
            for (int i = 0; i < roots.length; i++) {
                roots[i] = nodes.size();
                add(trees.get(i), nodes);
            }
            features = new int[nodes.size()];
            values = new double[nodes.size()];
            yes = new int[nodes.size()];
            no = new int[nodes.size()];
            var numbers = new IdentityHashMap<TreeNode, Integer>();
            for (int i = 0; i < nodes.size(); i++) {
                numbers.put(nodes.get(i), i);
            }
            for (int i = 0; i < nodes.size(); i++) {
                switch (nodes.get(i)) {
                    case TreeNode.Leaf(double value) -> {
                        features[i] = -1;
                        values[i] = value;
                    }
                    case TreeNode.Below below -> {
                        features[i] = below.feature();
                        values[i] = below.threshold();
                        yes[i] = Objects.requireNonNull(numbers.get(below.yes()));
                        no[i] = Objects.requireNonNull(numbers.get(below.no()));
                    }
                    case TreeNode.OneOf oneOf -> throw new IllegalStateException("no " + oneOf);
                }
            }
        }

        private static void add(TreeNode node, List<TreeNode> into) {
            into.add(node);
            if (node instanceof TreeNode.Below below) {
                add(below.yes(), into);
                add(below.no(), into);
            }
        }

        double leaf(int root, double[] rows, int at) {
            int node = root;
            int feature = features[node];
            while (feature >= 0) {
                node = rows[at + feature] < values[node] ? yes[node] : no[node];
                feature = features[node];
            }
            return values[node];
        }
    }

    private static TreeNode full(Random random, int splits) {
        return splits == 0
                ? new TreeNode.Leaf(random.nextGaussian())
                : below(random, full(random, splits - 1), full(random, splits - 1));
    }

    /** A place in a tree, and how many rows in a thousand reach it. */
    private static final class Growing {
        private final double weight;
        private Growing[] children = {};

        Growing(double weight) {
            this.weight = weight;
        }
    }

    private static TreeNode leaves(Random random, int count) {
        var root = new Growing(1);
        var open = new PriorityQueue<Growing>(Comparator.comparingDouble(each -> -each.weight));
        open.add(root);
        while (open.size() < count) {
            Growing split = open.remove();
            double share = 0.1 + 0.8 * random.nextDouble();
            split.children =
                    new Growing[] {
                        new Growing(split.weight * share), new Growing(split.weight * (1 - share))
                    };
            open.addAll(List.of(split.children));
        }
        return tree(random, root);
    }

    private static TreeNode tree(Random random, Growing growing) {
        return growing.children.length == 0
                ? new TreeNode.Leaf(random.nextGaussian())
                : below(
                        random,
                        tree(random, growing.children[0]),
                        tree(random, growing.children[1]));
    }

    private static TreeNode below(Random random, TreeNode yes, TreeNode no) {
        return new TreeNode.Below(
                random.nextInt(FEATURES), random.nextGaussian() / 2, random.nextBoolean(), yes, no);
    }
}
