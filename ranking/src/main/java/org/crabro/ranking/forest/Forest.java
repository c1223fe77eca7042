package org.crabro.ranking.forest;

import java.util.Arrays;
import java.util.List;

/**
 * A forest of decision trees in flat arrays. The score of a row is the sum of the leaves that it
 * reaches. Immutable and equal by content; each thread evaluates through an {@link Evaluation} of
 * its own.
 *
 * <p>First each input is converted to the number of thresholds that it is not below. Then a split
 * compares two small integers, and the next child is computed without a branch. Each split is one
 * {@code long}:
 *
 * <pre>
 *   63            40 39        24 23         0
 *   +---------------+------------+------------+
 *   | node of "yes" | column     | threshold  |   "no" is the node after "yes";
 *   +---------------+------------+------------+   a leaf is its own "yes", at the largest threshold
 * </pre>
 */
public final class Forest {
    static final int CHILD_SHIFT = 40;
    static final int COLUMN_SHIFT = 24;
    static final int COLUMN_MASK = 0xffff;
    static final int THRESHOLD_MASK = 0xff_ffff;

    /** The function that is applied to the sum of leaves. */
    public enum Link {
        SUM,
        SIGMOID,
        EXP,
        /** {@code log(1 + exp(sum))}. */
        SOFTPLUS,
        /** {@code sum * abs(sum)}. */
        SQUARE
    }

    private final List<String> features;
    private final Link link;
    private final List<SplitColumn> columns;
    private final int[] roots;
    private final long[] nodes;
    private final double[] leaves;

    Forest(
            List<String> features,
            Link link,
            List<SplitColumn> columns,
            int[] roots,
            long[] nodes,
            double[] leaves) {
        this.features = List.copyOf(features);
        this.link = link;
        this.columns = List.copyOf(columns);
        this.roots = roots;
        this.nodes = nodes;
        this.leaves = leaves;
    }

    /**
     * Lays trees flat.
     *
     * @param names of the features that splits name by number; those that no split names are left
     *     out
     * @throws InvalidForestException if there are too many different splits
     */
    static Forest of(List<String> names, List<TreeNode> trees, Link link) {
        return new ForestLayout(names).lay(trees, link);
    }

    /** Returns the names of the inputs, in the order of their columns. */
    public List<String> features() {
        return features;
    }

    /** Returns the function that is applied to the sum. */
    public Link link() {
        return link;
    }

    /** Returns how many trees there are. */
    public int treeCount() {
        return roots.length;
    }

    /** Returns something to evaluate with, for one thread. */
    public Evaluation evaluation() {
        return new Evaluation(this);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Forest that
                && link == that.link
                && features.equals(that.features)
                && columns.equals(that.columns)
                && Arrays.equals(roots, that.roots)
                && Arrays.equals(nodes, that.nodes)
                && Arrays.equals(leaves, that.leaves);
    }

    @Override
    public int hashCode() {
        return 31 * features.hashCode() + nodes.length;
    }

    @Override
    public String toString() {
        return "%d trees, %d nodes, of %s".formatted(roots.length, nodes.length, features);
    }

    /** The scratch memory of one thread. */
    public static final class Evaluation {
        /**
         * The number of column values per batch of rows, which stay in the L1 cache for all trees.
         */
        private static final int TILE_PLACES = 8_192;

        private static final int TILE_ROWS = 128;

        /** Rows that walk a tree side by side, so that none waits for the memory of another. */
        private static final int ABREAST = 8;

        private final SplitColumn[] columns;
        private final int[] roots;
        private final long[] nodes;
        private final double[] leaves;
        private final int stride;
        private final int tile;

        /** The place of each row of a tile in each column, row by row. */
        private final int[] places;

        private final double[] sums;

        private Evaluation(Forest forest) {
            columns = forest.columns.toArray(SplitColumn[]::new);
            roots = forest.roots;
            nodes = forest.nodes;
            leaves = forest.leaves;
            stride = Math.max(1, columns.length);
            tile = Math.clamp(TILE_PLACES / stride, ABREAST, TILE_ROWS);
            places = new int[tile * stride];
            sums = new double[tile];
        }

        /**
         * Writes the sum of leaves of each row, trees added in their order. Allocates nothing.
         *
         * @param inputs a column for each feature, in their order; {@code into} may be one of them,
         *     because rows are read before they are written
         * @param count rows
         */
        public void evaluate(double[][] inputs, int count, double[] into) {
            for (int from = 0; from < count; from += tile) {
                int rows = Math.min(tile, count - from);
                for (int column = 0; column < columns.length; column++) {
                    SplitColumn split = columns[column];
                    split.place(inputs[split.feature()], from, rows, places, column, stride);
                }
                Arrays.fill(sums, 0, rows, 0);
                for (int root : roots) {
                    walk(root, rows);
                }
                System.arraycopy(sums, 0, into, from, rows);
            }
        }

        private void walk(int root, int rows) {
            int row = 0;
            for (; row + ABREAST <= rows; row += ABREAST) {
                walkAbreast(root, row);
            }
            for (; row < rows; row++) {
                int node = root;
                int next = step(node, row * stride);
                while (next != node) {
                    node = next;
                    next = step(node, row * stride);
                }
                sums[row] += leaves[node];
            }
        }

        private void walkAbreast(int root, int row) {
            int at = row * stride;
            int a = root;
            int b = root;
            int c = root;
            int d = root;
            int e = root;
            int f = root;
            int g = root;
            int h = root;
            int moved;
            do {
                int nextA = step(a, at);
                int nextB = step(b, at + stride);
                int nextC = step(c, at + 2 * stride);
                int nextD = step(d, at + 3 * stride);
                int nextE = step(e, at + 4 * stride);
                int nextF = step(f, at + 5 * stride);
                int nextG = step(g, at + 6 * stride);
                int nextH = step(h, at + 7 * stride);
                moved =
                        (a ^ nextA)
                                | (b ^ nextB)
                                | (c ^ nextC)
                                | (d ^ nextD)
                                | (e ^ nextE)
                                | (f ^ nextF)
                                | (g ^ nextG)
                                | (h ^ nextH);
                a = nextA;
                b = nextB;
                c = nextC;
                d = nextD;
                e = nextE;
                f = nextF;
                g = nextG;
                h = nextH;
            } while (moved != 0);
            sums[row] += leaves[a];
            sums[row + 1] += leaves[b];
            sums[row + 2] += leaves[c];
            sums[row + 3] += leaves[d];
            sums[row + 4] += leaves[e];
            sums[row + 5] += leaves[f];
            sums[row + 6] += leaves[g];
            sums[row + 7] += leaves[h];
        }

        /** Returns the next node; a leaf is its own next node. */
        private int step(int node, int row) {
            long split = nodes[node];
            int place = places[row + (((int) (split >>> COLUMN_SHIFT)) & COLUMN_MASK)];
            int isAbove = ((((int) split) & THRESHOLD_MASK) - place) >>> (Integer.SIZE - 1);
            return (int) (split >>> CHILD_SHIFT) + isAbove;
        }
    }
}
