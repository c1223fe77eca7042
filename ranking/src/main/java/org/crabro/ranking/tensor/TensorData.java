package org.crabro.ranking.tensor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorText;
import org.crabro.tensor.TensorType;

/**
 * A tensor for computation: subspaces in any order, each with one label per mapped dimension and
 * the cells of the indexed dimensions in standard order. A number is a tensor without dimensions.
 * Immutable by convention: callers do not write to the arrays of {@link #cells()} and {@link
 * #labels}. Equal by type, labels and cells, in any order of subspaces.
 */
public final class TensorData {
    private static final String[][] NO_LABELS = {{}};

    private final TensorType type;
    private final String[][] labels;
    private final double[] cells;
    private final int subspaceSize;

    private TensorData(TensorType type, String[][] labels, double[] cells) {
        this.type = type;
        this.labels = labels;
        this.cells = cells;
        this.subspaceSize = type.subspaceSize();
        assert cells.length == labels.length * subspaceSize : type + " of " + cells.length;
    }

    /** Returns the tensor with the cells of {@code tensor}. */
    public static TensorData of(Tensor tensor) {
        return switch (tensor) {
            case DenseTensor dense -> {
                double[] cells = new double[dense.size()];
                for (int i = 0; i < cells.length; i++) {
                    cells[i] = dense.cell(i);
                }
                yield new TensorData(dense.type(), NO_LABELS, cells);
            }
            case MixedTensor mixed -> {
                int size = mixed.type().subspaceSize();
                String[][] labels = new String[mixed.addresses().size()][];
                double[] cells = new double[labels.length * size];
                for (int subspace = 0; subspace < labels.length; subspace++) {
                    labels[subspace] = mixed.addresses().get(subspace).toArray(String[]::new);
                    for (int i = 0; i < size; i++) {
                        cells[subspace * size + i] = mixed.cell(subspace, i);
                    }
                }
                yield new TensorData(mixed.type(), labels, cells);
            }
        };
    }

    /** Returns a number. */
    public static TensorData number(double value) {
        return new TensorData(TensorType.SCALAR, NO_LABELS, new double[] {value});
    }

    /** Returns a tensor without values: zeros if {@code type} is dense. */
    public static TensorData empty(TensorType type) {
        return type.isDense()
                ? new TensorData(type, NO_LABELS, new double[type.subspaceSize()])
                : new TensorData(type, new String[0][], new double[0]);
    }

    /**
     * Returns a dense tensor.
     *
     * @param cells in standard order; narrowed in place and kept
     */
    public static TensorData dense(TensorType type, double[] cells) {
        return mixed(type, NO_LABELS, cells);
    }

    /**
     * Returns a tensor.
     *
     * @param labels of each subspace, all different; kept
     * @param cells of one subspace after the other; narrowed in place and kept
     */
    public static TensorData mixed(TensorType type, String[][] labels, double[] cells) {
        CellType kind = type.cellType();
        if (kind != CellType.DOUBLE) {
            for (int i = 0; i < cells.length; i++) {
                cells[i] = kind.narrow(cells[i]);
            }
        }
        return new TensorData(type, labels, cells);
    }

    /** Returns the same cells as those of another type, which has the same dimensions. */
    public TensorData as(TensorType other) {
        return other.equals(type)
                ? this
                : mixed(other, labels, other.cellType() == CellType.DOUBLE ? cells : cells.clone());
    }

    public TensorType type() {
        return type;
    }

    /** Returns how many subspaces there are; 1 where no dimension is mapped. */
    public int subspaceCount() {
        return labels.length;
    }

    /** Returns how many cells a subspace has. */
    public int subspaceSize() {
        return subspaceSize;
    }

    /** Returns the labels of a subspace, in the order of the type's mapped dimensions. */
    public String[] labels(int subspace) {
        return labels[subspace];
    }

    String[][] allLabels() {
        return labels;
    }

    /** Returns all cells, one subspace after the other. */
    public double[] cells() {
        return cells;
    }

    /** Returns the sum of the cells, which is the value of a number. */
    public double sum() {
        double sum = 0;
        for (double cell : cells) {
            sum += cell;
        }
        return sum;
    }

    /** Returns the same tensor as a value to store, send or show. */
    public Tensor toTensor() {
        if (type.isDense()) {
            return DenseTensor.of(type, cells);
        }
        var subspaces = new TreeMap<List<String>, double[]>(MixedTensor.ADDRESS_ORDER);
        for (int i = 0; i < labels.length; i++) {
            subspaces.put(
                    List.of(labels[i]),
                    Arrays.copyOfRange(cells, i * subspaceSize, (i + 1) * subspaceSize));
        }
        return MixedTensor.of(type, subspaces);
    }

    /** Returns the numbers of all subspaces in the order of their labels. */
    List<Integer> inOrder(IntConsumer work) {
        var order = new ArrayList<Integer>();
        for (int i = 0; i < labels.length; i++) {
            order.add(i);
        }
        if (labels.length > 1) {
            order.sort((a, b) -> {
                work.accept(TensorWork.SUBSPACE_UNITS);
                return MixedTensor.ADDRESS_ORDER.compare(
                        Arrays.asList(labels[a]), Arrays.asList(labels[b]));
            });
        }
        return order;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TensorData that
                && type.equals(that.type)
                && cells.length == that.cells.length
                && toTensor().equals(that.toTensor());
    }

    @Override
    public int hashCode() {
        return 31 * type.hashCode() + cells.length;
    }

    @Override
    public String toString() {
        return TensorText.of(toTensor());
    }
}
