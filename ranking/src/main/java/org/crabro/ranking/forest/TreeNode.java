package org.crabro.ranking.forest;

import java.util.List;

/** A tree as a file has it, before it is laid flat. Splits name features by number. */
sealed interface TreeNode {
    /** Where a row ends up. */
    record Leaf(double value) implements TreeNode {}

    /**
     * Rows whose feature is below a threshold go to {@code yes}, others to {@code no}.
     *
     * @param missingIsYes where rows go whose feature is NaN
     */
    record Below(int feature, double threshold, boolean missingIsYes, TreeNode yes, TreeNode no)
            implements TreeNode {}

    /**
     * Rows whose feature is one of some values go to {@code yes}, others to {@code no}.
     *
     * @param missingIsYes where rows go whose feature is NaN
     */
    record OneOf(int feature, List<Double> values, boolean missingIsYes, TreeNode yes, TreeNode no)
            implements TreeNode {
        public OneOf {
            values = List.copyOf(values);
        }
    }
}
