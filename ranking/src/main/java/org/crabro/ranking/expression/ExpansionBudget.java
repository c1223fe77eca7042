package org.crabro.ranking.expression;

/**
 * Limits the total work of expanding functions in all expressions of a schema: each expression has
 * its own limit, but a schema can have many expressions. Not thread-safe.
 */
public final class ExpansionBudget {
    /** More than the profiles of any schema written by hand. */
    public static final int DEFAULT = 5_000_000;

    private int left;

    /**
     * @param nodes the maximum total number of nodes of all expressions
     */
    public ExpansionBudget(int nodes) {
        this.left = nodes;
    }

    /** Returns whether the budget is exceeded, so that expanding other expressions is useless. */
    public boolean isSpent() {
        return left < 0;
    }

    /** Uses {@code nodes}, and returns whether the budget allows it. */
    boolean take(int nodes) {
        if (left >= 0) {
            left -= nodes;
        }
        return left >= 0;
    }
}
