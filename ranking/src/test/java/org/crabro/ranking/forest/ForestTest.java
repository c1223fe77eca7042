package org.crabro.ranking.forest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Flat forests give what walking their trees gives, bit by bit. */
class ForestTest {
    private static final long SEED = Long.getLong("crabro.seed", new Random().nextLong());

    /** Thresholds are taken from these, so that values are often equal to them. */
    private static final double[] SPECIAL = {
        0.0,
        -0.0,
        1,
        -1,
        0.1f,
        Double.MIN_VALUE,
        -Double.MIN_VALUE,
        Double.MAX_VALUE,
        -Double.MAX_VALUE,
        1e-35
    };

    private final Random random = new Random(SEED);

    @Test
    void walksEveryRowOfRandomForests() {
        for (int round = 0; round < 300; round++) {
            int featureCount = 1 + random.nextInt(6);
            List<TreeNode> trees = trees(featureCount, 1 + random.nextInt(20), 12);
            int count = random.nextInt(300);
            double[][] columns = columns(featureCount, count);

            double[] sums = evaluated(trees, featureCount, columns, count);

            assertThat(sums)
                    .as("seed %d, round %d", SEED, round)
                    .containsExactly(walked(trees, columns, count));
        }
    }

    @Test
    void writesOverTheColumnThatItReads() {
        List<TreeNode> trees = trees(1, 5, 6);
        double[][] columns = columns(1, 1_000);
        double[] expected = walked(trees, columns, 1_000);

        forest(trees, 1).evaluation().evaluate(columns, 1_000, columns[0]);

        assertThat(columns[0]).as("seed %d", SEED).containsExactly(expected);
    }

    @Test
    void hasAColumnForEachFeatureThatIsSplitBy() {
        TreeNode leaf = new TreeNode.Leaf(1);
        TreeNode tree = new TreeNode.Below(2, 5, false, leaf, leaf);

        Forest forest = Forest.of(List.of("a", "b", "c"), List.of(tree), Forest.Link.SUM);

        assertThat(forest.features()).containsExactly("c");
    }

    @Test
    void evaluatesTreesThatAreLeaves() {
        List<TreeNode> trees = List.of(new TreeNode.Leaf(0.5), new TreeNode.Leaf(0.25));
        double[] sums = new double[11];

        forest(trees, 0).evaluation().evaluate(new double[0][], sums.length, sums);

        assertThat(sums).containsOnly(0.75);
    }

    @Test
    void manyColumnsAreTakenInSmallTiles() {
        TreeNode tree = new TreeNode.Leaf(0);
        for (int i = 0; i < 5_000; i++) {
            tree = new TreeNode.Below(i, 0.5, false, new TreeNode.Leaf(i), tree);
        }
        double[][] columns = columns(5_000, 30);

        double[] sums = evaluated(List.of(tree), 5_000, columns, 30);

        assertThat(sums).as("seed %d", SEED).containsExactly(walked(List.of(tree), columns, 30));
    }

    @Test
    void refusesMoreSetsOfCategoriesThanThereIsRoomFor() {
        TreeNode leaf = new TreeNode.Leaf(0);
        List<TreeNode> trees =
                IntStream.range(0, 65_537)
                        .<TreeNode>mapToObj(
                                i -> new TreeNode.OneOf(0, List.of((double) i), false, leaf, leaf))
                        .toList();

        assertThatThrownBy(() -> forest(trees, 1))
                .isInstanceOf(InvalidForestException.class)
                .hasMessage(
                        "the trees split by 65,537 different sets of categories, and at most"
                                + " 65,536 can be");
    }

    @Test
    void equalTreesAreEqualForests() {
        List<TreeNode> trees = trees(3, 4, 5);
        List<TreeNode> others = new ArrayList<>(trees);
        others.set(3, new TreeNode.Leaf(7));

        assertThat(forest(trees, 3))
                .isEqualTo(forest(List.copyOf(trees), 3))
                .hasSameHashCodeAs(forest(trees, 3))
                .isNotEqualTo(forest(others, 3))
                .isNotEqualTo(Forest.of(names(3), trees, Forest.Link.EXP));
    }

    private static double[] walked(List<TreeNode> trees, double[][] columns, int count) {
        return IntStream.range(0, count)
                .mapToDouble(row ->
                        TreeWalk.sum(
                                trees,
                                Arrays.stream(columns).mapToDouble(each -> each[row]).toArray()))
                .toArray();
    }

    /** Some features may be in no split: their columns are not requested. */
    private static double[] evaluated(
            List<TreeNode> trees, int featureCount, double[][] columns, int count) {
        Forest forest = forest(trees, featureCount);
        double[][] inputs =
                forest.features().stream()
                        .map(name -> columns[Integer.parseInt(name)])
                        .toArray(double[][]::new);
        double[] sums = new double[count];
        forest.evaluation().evaluate(inputs, count, sums);
        return sums;
    }

    private static Forest forest(List<TreeNode> trees, int featureCount) {
        return Forest.of(names(featureCount), trees, Forest.Link.SUM);
    }

    private static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }

    private List<TreeNode> trees(int featureCount, int count, int depth) {
        return IntStream.range(0, count).mapToObj(_ -> tree(featureCount, depth)).toList();
    }

    private TreeNode tree(int featureCount, int depth) {
        if (depth == 1 || random.nextInt(6) == 0) {
            return new TreeNode.Leaf(random.nextGaussian());
        }
        int feature = random.nextInt(featureCount);
        TreeNode yes = tree(featureCount, depth - 1);
        TreeNode no = tree(featureCount, depth - 1);
        return random.nextInt(5) == 0
                ? new TreeNode.OneOf(
                        feature,
                        IntStream.rangeClosed(0, random.nextInt(4))
                                .mapToObj(_ -> (double) random.nextInt(6))
                                .toList(),
                        random.nextBoolean(),
                        yes,
                        no)
                : new TreeNode.Below(feature, threshold(), random.nextBoolean(), yes, no);
    }

    private double threshold() {
        return random.nextBoolean()
                ? SPECIAL[random.nextInt(SPECIAL.length)]
                : random.nextInt(6) + random.nextInt(3) / 2.0;
    }

    private double[][] columns(int featureCount, int count) {
        double[][] columns = new double[featureCount][count];
        for (double[] column : columns) {
            Arrays.setAll(column, _ -> value());
        }
        return columns;
    }

    private double value() {
        return switch (random.nextInt(8)) {
            case 0 -> Double.NaN;
            case 1 -> random.nextBoolean() ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
            case 2 -> random.nextGaussian();
            case 3 -> random.nextInt(6) + 0.5;
            case 4, 5 -> random.nextInt(6);
            default -> threshold();
        };
    }
}
