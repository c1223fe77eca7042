package org.crabro.ranking.tensor;

import java.util.Map;
import java.util.function.IntConsumer;
import org.crabro.tensor.TensorType;

/** Concatenates two tensors in an indexed dimension. Created once for two types; immutable. */
public final class Concat {
    private static final int NONE = -1;

    private final TensorType type;
    private final Join.Labels labels;
    private final int[] leftOffsets;
    private final int[] rightOffsets;

    public Concat(TensorType left, TensorType right, String dimension) {
        this.type = TensorTypes.concat(left, right, dimension);
        this.labels = new Join.Labels(left, right, type);
        int border = TensorTypes.size(left, dimension);
        Map<String, Integer> leftStrides = Shape.strides(left);
        Map<String, Integer> rightStrides = Shape.strides(right);
        int[] fromLeft =
                Shape.offsets(
                        type,
                        (name, place) ->
                                name.equals(dimension) && place >= border
                                        ? Integer.MIN_VALUE / 2
                                        : place * leftStrides.getOrDefault(name, 0));
        this.leftOffsets = fromLeft;
        this.rightOffsets =
                Shape.offsets(
                        type,
                        (name, place) ->
                                (name.equals(dimension) ? Math.max(0, place - border) : place)
                                        * rightStrides.getOrDefault(name, 0));
        for (int i = 0; i < fromLeft.length; i++) {
            fromLeft[i] = Math.max(NONE, fromLeft[i]);
        }
    }

    /** Returns the type of results. */
    public TensorType type() {
        return type;
    }

    /**
     * Returns both.
     *
     * @param work receives the units of {@link TensorWork}
     */
    public TensorData apply(TensorData left, TensorData right, IntConsumer work) {
        Join.Pairs pairs = labels.pairs(left, right, work);
        int size = type.subspaceSize();
        double[] cells = new double[TensorMemory.cells(work, pairs.count(), 0, size)];
        int at = 0;
        for (int pair = 0; pair < pairs.count(); pair++) {
            int from = pairs.left[pair] * left.subspaceSize();
            int to = pairs.right[pair] * right.subspaceSize();
            work.accept(size);
            for (int i = 0; i < size; i++) {
                cells[at++] =
                        leftOffsets[i] != NONE
                                ? left.cells()[from + leftOffsets[i]]
                                : right.cells()[to + rightOffsets[i]];
            }
        }
        return TensorData.mixed(type, pairs.labels, cells);
    }
}
