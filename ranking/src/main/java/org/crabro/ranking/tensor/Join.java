package org.crabro.ranking.tensor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntConsumer;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * Pairs the subspaces of two tensors whose labels agree in their shared mapped dimensions, and
 * computes cells of pairs of their cells. Created once for two types; immutable.
 */
public final class Join {
    private final TensorType type;
    private final Labels labels;
    private final int[] leftOffsets;
    private final int[] rightOffsets;

    /** Takes the types of the operands. */
    public Join(TensorType left, TensorType right) {
        this(left, right, TensorTypes.join(left, right));
    }

    private Join(TensorType left, TensorType right, TensorType type) {
        this.type = type;
        this.labels = new Labels(left, right, type);
        this.leftOffsets = Shape.offsets(type, left);
        this.rightOffsets = Shape.offsets(type, right);
    }

    /** Returns the type of results. */
    public TensorType type() {
        return type;
    }

    /**
     * Applies {@code function} to each pair of cells.
     *
     * @param work receives the units of {@link TensorWork}
     */
    public TensorData apply(
            TensorData left, TensorData right, DoubleBinaryOperator function, IntConsumer work) {
        Pairs pairs = labels.pairs(left, right, work);
        int size = type.subspaceSize();
        double[] cells = new double[TensorMemory.cells(work, pairs.count(), 0, size)];
        int at = 0;
        for (int pair = 0; pair < pairs.count(); pair++) {
            int from = pairs.left[pair] * left.subspaceSize();
            int to = pairs.right[pair] * right.subspaceSize();
            int i = 0;
            while (i < size) {
                int end = TensorWork.slice(work, i, size);
                for (; i < end; i++) {
                    cells[at++] =
                            function.applyAsDouble(
                                    left.cells()[from + leftOffsets[i]],
                                    right.cells()[to + rightOffsets[i]]);
                }
            }
        }
        return TensorData.mixed(type, pairs.labels, cells);
    }

    /** Subspaces that belong together, and the labels that each pair has. */
    static final class Pairs {
        final int[] left;
        final int[] right;
        final String[][] labels;

        Pairs(int[] left, int[] right, String[][] labels) {
            this.left = left;
            this.right = right;
            this.labels = labels;
        }

        int count() {
            return left.length;
        }
    }

    /** How the labels of two types are combined. */
    static final class Labels {
        private final int[] sharedLeft;
        private final int[] sharedRight;

        /** By mapped dimension of the result: where the left has it, or -1. */
        private final int[] fromLeft;

        private final int[] fromRight;

        Labels(TensorType left, TensorType right, TensorType type) {
            List<Dimension> shared =
                    TensorTypes.mapped(left).stream()
                            .filter(TensorTypes.mapped(right)::contains)
                            .toList();
            sharedLeft = Shape.places(shared, left);
            sharedRight = Shape.places(shared, right);
            fromLeft = Shape.places(TensorTypes.mapped(type), left);
            fromRight = Shape.places(TensorTypes.mapped(type), right);
        }

        Pairs pairs(TensorData left, TensorData right, IntConsumer work) {
            return sharedLeft.length == 0 ? all(left, right, work) : equal(left, right, work);
        }

        private Pairs all(TensorData left, TensorData right, IntConsumer work) {
            long all = (long) left.subspaceCount() * right.subspaceCount();
            int count = TensorMemory.cells(work, all, fromLeft.length, 1);
            int[] lefts = new int[count];
            int[] rights = new int[count];
            for (int i = 0; i < count; i++) {
                lefts[i] = i / right.subspaceCount();
                rights[i] = i % right.subspaceCount();
            }
            return pairs(left, right, lefts, rights, work);
        }

        private Pairs equal(TensorData left, TensorData right, IntConsumer work) {
            Map<Object, List<Integer>> byKey = new HashMap<>();
            TensorMemory.cells(work, right.subspaceCount(), sharedRight.length + 8, 1);
            TensorMemory.cells(work, left.subspaceCount(), fromLeft.length, 1);
            for (int i = 0; i < right.subspaceCount(); i++) {
                work.accept(TensorWork.SUBSPACE_UNITS);
                byKey.computeIfAbsent(
                                Shape.key(right.labels(i), sharedRight), _ -> new ArrayList<>(1))
                        .add(i);
            }
            int[] lefts = new int[Math.max(4, left.subspaceCount())];
            int[] rights = new int[lefts.length];
            int count = 0;
            for (int i = 0; i < left.subspaceCount(); i++) {
                Object key = Shape.key(left.labels(i), sharedLeft);
                List<Integer> others = byKey.getOrDefault(key, List.of());
                TensorWork.report(work, 1 + others.size(), TensorWork.SUBSPACE_UNITS);
                for (int other : others) {
                    if (count == lefts.length) {
                        TensorMemory.cells(work, 2L * count, fromLeft.length, 1);
                        lefts = Arrays.copyOf(lefts, 2 * count);
                        rights = Arrays.copyOf(rights, 2 * count);
                    }
                    lefts[count] = i;
                    rights[count++] = other;
                }
            }
            return pairs(
                    left, right, Arrays.copyOf(lefts, count), Arrays.copyOf(rights, count), work);
        }

        private Pairs pairs(
                TensorData left, TensorData right, int[] lefts, int[] rights, IntConsumer work) {
            String[][] labels = new String[lefts.length][fromLeft.length];
            for (int pair = 0; pair < lefts.length; pair++) {
                work.accept(TensorWork.SUBSPACE_UNITS);
                for (int i = 0; i < fromLeft.length; i++) {
                    labels[pair][i] =
                            fromLeft[i] >= 0
                                    ? left.labels(lefts[pair])[fromLeft[i]]
                                    : right.labels(rights[pair])[fromRight[i]];
                }
            }
            return new Pairs(lefts, rights, labels);
        }
    }
}
