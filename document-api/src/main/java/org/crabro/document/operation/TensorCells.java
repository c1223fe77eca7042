package org.crabro.document.operation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A list of cells of a tensor, each with its address and a number. Immutable; equal by content.
 *
 * <p>An address has the labels of the mapped dimensions, in the order of the tensor's type, and the
 * index in standard order among the cells of that subspace.
 */
public final class TensorCells {
    private final List<List<String>> labels;
    private final int[] indexes;
    private final double[] values;

    private TensorCells(List<List<String>> labels, int[] indexes, double[] values) {
        this.labels = labels;
        this.indexes = indexes;
        this.values = values;
    }

    /** Collects cells. */
    public static final class Builder {
        private static final int FIRST_CAPACITY = 16;

        private final List<List<String>> labels = new ArrayList<>();
        private int[] indexes = new int[FIRST_CAPACITY];
        private double[] values = new double[FIRST_CAPACITY];

        public Builder() {}

        /** Adds a cell. */
        public void add(List<String> of, int index, double value) {
            int size = labels.size();
            if (size == indexes.length) {
                indexes = Arrays.copyOf(indexes, 2 * size);
                values = Arrays.copyOf(values, 2 * size);
            }
            // Cells of one block share their labels.
            labels.add(
                    size > 0 && labels.getLast().equals(of) ? labels.getLast() : List.copyOf(of));
            indexes[size] = index;
            values[size] = value;
        }

        public int size() {
            return labels.size();
        }

        public TensorCells build() {
            return new TensorCells(
                    List.copyOf(labels),
                    Arrays.copyOf(indexes, labels.size()),
                    Arrays.copyOf(values, labels.size()));
        }
    }

    public int size() {
        return indexes.length;
    }

    /** Returns the labels of the mapped dimensions of a cell. */
    public List<String> labels(int cell) {
        return labels.get(cell);
    }

    /** Returns the index of a cell in its subspace. */
    public int index(int cell) {
        return indexes[cell];
    }

    public double value(int cell) {
        return values[cell];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TensorCells that
                && labels.equals(that.labels)
                && Arrays.equals(indexes, that.indexes)
                && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * labels.hashCode() + Arrays.hashCode(indexes)) + Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return labels + " " + Arrays.toString(indexes) + " " + Arrays.toString(values);
    }
}
