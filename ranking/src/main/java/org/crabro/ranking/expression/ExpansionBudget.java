package org.crabro.ranking.expression;

/**
 * How much work all expressions of a schema may make together while functions are put into them:
 * each by itself is bounded, but a schema may have many. For one thread.
 */
public final class ExpansionBudget {
    /** More than the profiles of any schema that a person wrote. */
    public static final int DEFAULT = 5_000_000;

    private int left;

    /** Takes how many nodes all expressions may come to. */
    public ExpansionBudget(int nodes) {
        this.left = nodes;
    }

    /** Returns whether nothing is left, so that no other expression needs to be tried. */
    public boolean isSpent() {
        return left < 0;
    }

    /** Takes {@code nodes}, and returns whether there were as many. */
    boolean take(int nodes) {
        if (left >= 0) {
            left -= nodes;
        }
        return left >= 0;
    }
}
