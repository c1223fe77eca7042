package org.crabro.ranking.forest;

import java.util.List;

/** Evaluates trees as they are defined, one row at a time, node by node. */
final class TreeWalk {
    private TreeWalk() {}

    static double sum(List<TreeNode> trees, double[] row) {
        double sum = 0;
        for (TreeNode tree : trees) {
            sum += leaf(tree, row);
        }
        return sum;
    }

    private static double leaf(TreeNode node, double[] row) {
        return switch (node) {
            case TreeNode.Leaf(double value) -> value;
            case TreeNode.Below below -> {
                double value = row[below.feature()];
                boolean isYes =
                        below.missingIsYes()
                                ? !(value >= below.threshold())
                                : value < below.threshold();
                yield leaf(isYes ? below.yes() : below.no(), row);
            }
            case TreeNode.OneOf oneOf -> {
                double value = row[oneOf.feature()];
                boolean isYes = oneOf.missingIsYes() && Double.isNaN(value);
                for (double each : oneOf.values()) {
                    isYes |= each == value;
                }
                yield leaf(isYes ? oneOf.yes() : oneOf.no(), row);
            }
        };
    }
}
