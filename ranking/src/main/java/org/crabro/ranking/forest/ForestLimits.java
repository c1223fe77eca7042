package org.crabro.ranking.forest;

/**
 * Limits of the size of a forest. A larger one is refused with the name of the limit.
 *
 * @param bytes of its file
 * @param nodes of all trees together, with leaves
 * @param depth of a tree: nodes from its root to a leaf
 */
public record ForestLimits(long bytes, int nodes, int depth) {
    /** Room for ten thousand trees of a hundred leaves. */
    public static final ForestLimits DEFAULT = new ForestLimits(512L << 20, 2_000_000, 250);

    private static final int NODES_MAX = 1 << 24;

    public ForestLimits {
        if (nodes < 1 || nodes > NODES_MAX) {
            throw new IllegalArgumentException("a forest has 1 to 2^24 nodes, not " + nodes);
        }
    }
}
