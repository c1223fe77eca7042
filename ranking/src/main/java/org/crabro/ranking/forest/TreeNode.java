package org.crabro.ranking.forest;

import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;

/** A tree as a file has it, before it is laid flat. Splits name features by number. */
sealed interface TreeNode {
    /** Returns the same tree with leaves that are {@code factor} times as large. */
    default TreeNode times(double factor) {
        return with(value -> value * factor, OneOf::values);
    }

    /** Returns the same tree with other leaves, and other values that splits compare with. */
    default TreeNode with(DoubleUnaryOperator leaves, Function<OneOf, List<Double>> values) {
        return switch (this) {
            case Leaf leaf -> new Leaf(leaves.applyAsDouble(leaf.value));
            case Below below ->
                    new Below(
                            below.feature,
                            below.threshold,
                            below.missingIsYes,
                            below.yes.with(leaves, values),
                            below.no.with(leaves, values));
            case OneOf oneOf ->
                    new OneOf(
                            oneOf.feature,
                            values.apply(oneOf),
                            oneOf.missingIsYes,
                            oneOf.yes.with(leaves, values),
                            oneOf.no.with(leaves, values));
        };
    }

    /** Where a row ends up. */
    record Leaf(double value) implements TreeNode {}

    /**
     * Rows whose feature is below a threshold go to {@code yes}, others to {@code no}.
     *
     * @param missingIsYes whether rows whose feature is NaN go to {@code yes}
     */
    record Below(int feature, double threshold, boolean missingIsYes, TreeNode yes, TreeNode no)
            implements TreeNode {}

    /**
     * Rows whose feature is one of some values go to {@code yes}, others to {@code no}.
     *
     * @param missingIsYes whether rows whose feature is NaN go to {@code yes}
     */
    record OneOf(int feature, List<Double> values, boolean missingIsYes, TreeNode yes, TreeNode no)
            implements TreeNode {
        public OneOf {
            values = List.copyOf(values);
        }
    }
}
