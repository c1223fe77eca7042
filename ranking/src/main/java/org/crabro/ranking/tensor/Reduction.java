package org.crabro.ranking.tensor;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.crabro.tensor.TensorType;

/**
 * Makes one cell of all cells that differ in some dimensions alone. Made once for a type;
 * immutable.
 */
public final class Reduction {
    private final TensorType type;
    private final TensorAggregator aggregator;
    private final int[] places;
    private final int[] offsets;

    /**
     * @param names the dimensions to remove; empty means all
     */
    public Reduction(TensorType from, TensorAggregator aggregator, List<String> names) {
        this.type = TensorTypes.reduce(from, names);
        this.aggregator = aggregator;
        this.places = Shape.places(TensorTypes.mapped(type), from);
        this.offsets = Shape.offsets(from, type);
    }

    /** Returns the type of results. */
    public TensorType type() {
        return type;
    }

    /**
     * Returns {@code tensor} with fewer dimensions.
     *
     * @param work receives the units of {@link TensorWork}
     */
    public TensorData apply(TensorData tensor, IntConsumer work) {
        if (tensor.subspaceCount() == 0) {
            return TensorData.empty(type);
        }
        Map<Object, Integer> groups = new LinkedHashMap<>();
        // Each subspace may be a group, with an entry of a map.
        TensorMemory.cells(work, tensor.subspaceCount(), places.length + 8, 1);
        TensorMemory.cells(work, 1, 0, 2L * tensor.cells().length);
        int[] groupOf = new int[tensor.subspaceCount()];
        for (int i = 0; i < groupOf.length; i++) {
            work.accept(TensorWork.SUBSPACE_UNITS);
            groupOf[i] =
                    groups.computeIfAbsent(Shape.key(tensor.labels(i), places), _ -> groups.size());
        }
        String[][] labels = new String[groups.size()][];
        for (int i = 0; i < groupOf.length; i++) {
            if (labels[groupOf[i]] == null) {
                labels[groupOf[i]] = pick(tensor.labels(i));
            }
        }
        return TensorData.mixed(type, labels, cells(tensor, groupOf, groups.size(), work));
    }

    private String[] pick(String[] labels) {
        String[] picked = new String[places.length];
        for (int i = 0; i < places.length; i++) {
            picked[i] = labels[places[i]];
        }
        return picked;
    }

    /** Sorts the cells by result cell, keeping their order, and aggregates them. */
    private double[] cells(TensorData tensor, int[] groupOf, int groupCount, IntConsumer work) {
        int size = type.subspaceSize();
        if (groupCount * size == 1) {
            // All cells become one, so they are in order already.
            work.accept(tensor.cells().length);
            return new double[] {aggregator.of(tensor.cells(), tensor.cells().length, work)};
        }
        int[] ends = new int[groupCount * size + 1];
        for (int group : groupOf) {
            work.accept(offsets.length);
            for (int offset : offsets) {
                ends[group * size + offset + 1]++;
            }
        }
        for (int i = 1; i < ends.length; i++) {
            ends[i] += ends[i - 1];
        }
        int[] next = ends.clone();
        double[] sorted = new double[tensor.cells().length];
        int at = 0;
        for (int group : groupOf) {
            work.accept(TensorWork.CELL_UNITS * offsets.length);
            for (int offset : offsets) {
                sorted[next[group * size + offset]++] = tensor.cells()[at++];
            }
        }
        double[] cells = new double[groupCount * size];
        double[] some = new double[0];
        for (int i = 0; i < cells.length; i++) {
            int count = ends[i + 1] - ends[i];
            some = some.length < count ? new double[count] : some;
            System.arraycopy(sorted, ends[i], some, 0, count);
            cells[i] = aggregator.of(some, count, work);
        }
        return cells;
    }

    @Override
    public String toString() {
        return aggregator + Arrays.toString(offsets);
    }
}
