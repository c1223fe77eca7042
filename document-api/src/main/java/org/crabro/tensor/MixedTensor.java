package org.crabro.tensor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A tensor with mapped dimensions. It has any number of subspaces, each with one label per mapped
 * dimension. The number of cells of a subspace is the product of the sizes of the indexed
 * dimensions; 1 if there are none. Immutable; equal by type, labels and cells.
 *
 * {@snippet :
 * TensorType type = TensorType.parse("tensor<float>(chunk{},x[2])");
 * var tensor = MixedTensor.of(type, Map.of(List.of("a"), new double[] {1, 2}));
 * assert tensor.cell(0, 1) == 2;
 * }
 */
public final class MixedTensor implements Tensor {
    /** Orders addresses by the bytes of their labels, dimension by dimension. */
    public static final Comparator<List<String>> ADDRESS_ORDER = MixedTensor::compare;

    private final TensorType type;
    private final List<List<String>> addresses;
    private final double[] cells;

    private MixedTensor(TensorType type, List<List<String>> addresses, double[] cells) {
        this.type = type;
        this.addresses = addresses;
        this.cells = cells;
    }

    /**
     * Returns a tensor.
     *
     * @param subspaces cells in standard order, by the labels of the mapped dimensions in the order
     *     of the type; cells are converted to the precision of the type
     * @throws IllegalArgumentException if {@code type} has no mapped dimension, or the number of
     *     labels or cells is wrong
     */
    public static MixedTensor of(TensorType type, Map<List<String>, double[]> subspaces) {
        if (type.isDense()) {
            throw new IllegalArgumentException(type + " has no mapped dimension");
        }
        int size = type.subspaceSize();
        List<Map.Entry<List<String>, double[]>> sorted =
                subspaces.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey(ADDRESS_ORDER))
                        .toList();
        var cells = new double[Math.multiplyExact(sorted.size(), size)];
        int at = 0;
        for (var subspace : sorted) {
            if (subspace.getKey().size() != type.mappedCount()
                    || subspace.getValue().length != size) {
                throw new IllegalArgumentException(
                        "%d cells at %s for %s"
                                .formatted(subspace.getValue().length, subspace.getKey(), type));
            }
            for (double cell : subspace.getValue()) {
                cells[at++] = type.cellType().narrow(cell);
            }
        }
        List<List<String>> addresses =
                sorted.stream().map(subspace -> List.copyOf(subspace.getKey())).toList();
        return new MixedTensor(type, addresses, cells);
    }

    /**
     * Returns a tensor of subspaces that are already sorted, without an intermediate map.
     *
     * @param addresses the labels of each subspace, in {@link #ADDRESS_ORDER}, without duplicates
     * @param cells those of all subspaces, one subspace after another, in standard order
     * @throws IllegalArgumentException if {@code type} has no mapped dimension, the number of
     *     labels or cells is wrong, or labels are not sorted
     */
    public static MixedTensor ofSorted(
            TensorType type, List<List<String>> addresses, double[] cells) {
        if (type.isDense()) {
            throw new IllegalArgumentException(type + " has no mapped dimension");
        }
        if (cells.length != (long) addresses.size() * type.subspaceSize()) {
            throw new IllegalArgumentException(
                    "%d cells of %d subspaces for %s"
                            .formatted(cells.length, addresses.size(), type));
        }
        for (int i = 0; i < addresses.size(); i++) {
            List<String> address = addresses.get(i);
            if (address.size() != type.mappedCount()) {
                throw new IllegalArgumentException("labels %s for %s".formatted(address, type));
            }
            if (i > 0 && compare(addresses.get(i - 1), address) >= 0) {
                throw new IllegalArgumentException(
                        "a tensor has unsorted labels: %s after %s"
                                .formatted(address, addresses.get(i - 1)));
            }
        }
        var narrowed = new double[cells.length];
        for (int i = 0; i < cells.length; i++) {
            narrowed[i] = type.cellType().narrow(cells[i]);
        }
        return new MixedTensor(
                type, addresses.stream().<List<String>>map(List::copyOf).toList(), narrowed);
    }

    private static int compare(List<String> left, List<String> right) {
        for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
            int order =
                    Arrays.compareUnsigned(
                            left.get(i).getBytes(UTF_8), right.get(i).getBytes(UTF_8));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.size(), right.size());
    }

    @Override
    public TensorType type() {
        return type;
    }

    @Override
    public MixedTensor as(TensorType other) {
        return other.equals(type) ? this : ofSorted(other, addresses, cells);
    }

    /** Returns the labels of each subspace, in {@link #ADDRESS_ORDER}. */
    public List<List<String>> addresses() {
        return addresses;
    }

    /** Returns the cell at {@code index} in standard order of a subspace, counted from 0. */
    public double cell(int subspace, int index) {
        return cells[subspace * type.subspaceSize() + index];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MixedTensor that
                && type.equals(that.type)
                && addresses.equals(that.addresses)
                && Arrays.equals(cells, that.cells);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * type.hashCode() + addresses.hashCode()) + Arrays.hashCode(cells);
    }

    @Override
    public String toString() {
        return TensorText.of(this);
    }
}
