package org.crabro.ranking.tensor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.crabro.tensor.CellType;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * Operations that rearrange cells or map them one by one. Each takes a consumer of the units of
 * {@link TensorWork}.
 */
public final class Rearrangement {
    private Rearrangement() {}

    /** Applies {@code function} to each cell. */
    public static TensorData map(
            TensorData tensor, DoubleUnaryOperator function, IntConsumer work) {
        double[] cells = new double[tensor.cells().length];
        int i = 0;
        while (i < cells.length) {
            int end = TensorWork.slice(work, i, cells.length);
            for (; i < end; i++) {
                cells[i] = function.applyAsDouble(tensor.cells()[i]);
            }
        }
        return TensorData.mixed(TensorTypes.map(tensor.type()), tensor.allLabels(), cells);
    }

    /** Returns the subspaces of both tensors; {@code function} combines cells that both have. */
    public static TensorData merge(
            TensorData left, TensorData right, DoubleBinaryOperator function, IntConsumer work) {
        TensorType type = TensorTypes.merge(left.type(), right.type());
        int size = type.subspaceSize();
        int[] places = Shape.places(TensorTypes.mapped(type), type);
        Map<Object, Integer> rights = new HashMap<>();
        for (int i = 0; i < right.subspaceCount(); i++) {
            work.accept(2 * TensorWork.SUBSPACE_UNITS);
            rights.put(Shape.key(right.labels(i), places), i);
        }
        int[] partner = new int[left.subspaceCount()];
        for (int i = 0; i < partner.length; i++) {
            work.accept(TensorWork.SUBSPACE_UNITS);
            Integer match = rights.remove(Shape.key(left.labels(i), places));
            partner[i] = match == null ? -1 : match;
        }
        int count = partner.length + rights.size();
        String[][] labels = new String[count][];
        double[] cells = new double[TensorMemory.cells(work, count, places.length, size)];
        for (int i = 0; i < partner.length; i++) {
            labels[i] = left.labels(i);
            int cell = i * size;
            while (cell < (i + 1) * size) {
                int end = TensorWork.slice(work, cell, (i + 1) * size);
                for (; cell < end; cell++) {
                    cells[cell] =
                            partner[i] < 0
                                    ? left.cells()[cell]
                                    : function.applyAsDouble(
                                            left.cells()[cell],
                                            right.cells()[cell + (partner[i] - i) * size]);
                }
            }
        }
        int next = partner.length;
        for (int i : rights.values().stream().sorted().toList()) {
            labels[next] = right.labels(i);
            System.arraycopy(right.cells(), i * size, cells, next * size, size);
            next++;
        }
        return TensorData.mixed(type, labels, cells);
    }

    /** Returns the tensor with other names of dimensions. */
    public static TensorData rename(
            TensorData tensor, List<String> from, List<String> to, IntConsumer work) {
        TensorType type = TensorTypes.rename(tensor.type(), from, to);
        TensorType back = TensorTypes.rename(type, to, from);
        // The old names in the order of the new type.
        List<Dimension> old =
                type.dimensions().stream()
                        .map(dimension -> {
                            int place = to.indexOf(dimension.name());
                            String name = place < 0 ? dimension.name() : from.get(place);
                            return back.dimensions().stream()
                                    .filter(each -> each.name().equals(name))
                                    .findFirst()
                                    .orElseThrow();
                        })
                        .toList();
        int[] places =
                Shape.places(
                        old.stream().filter(Dimension.Mapped.class::isInstance).toList(),
                        tensor.type());
        Map<String, Integer> strides = Shape.strides(tensor.type());
        int[] offsets =
                Shape.offsets(
                        type,
                        (name, place) -> {
                            int index = to.indexOf(name);
                            return place
                                    * strides.getOrDefault(index < 0 ? name : from.get(index), 0);
                        });
        String[][] labels = new String[tensor.subspaceCount()][places.length];
        double[] cells = new double[tensor.cells().length];
        for (int i = 0; i < labels.length; i++) {
            work.accept(TensorWork.SUBSPACE_UNITS + offsets.length);
            for (int label = 0; label < places.length; label++) {
                labels[i][label] = tensor.labels(i)[places[label]];
            }
            for (int cell = 0; cell < offsets.length; cell++) {
                cells[i * offsets.length + cell] =
                        tensor.cells()[i * offsets.length + offsets[cell]];
            }
        }
        return TensorData.mixed(type, labels, cells);
    }

    /**
     * Returns the part of a tensor at some labels; zeros if they do not exist and no mapped
     * dimension remains.
     *
     * @param at labels by dimension; whole numbers for indexed ones
     */
    public static TensorData slice(TensorData tensor, Map<String, String> at, IntConsumer work) {
        TensorType from = tensor.type();
        TensorType type = TensorTypes.slice(from, at.keySet());
        Map<String, Integer> strides = Shape.strides(from);
        int start = 0;
        for (Dimension.Indexed dimension : TensorTypes.indexed(from)) {
            String label = at.get(dimension.name());
            if (label != null) {
                int place = place(label);
                if (place < 0 || place >= dimension.size()) {
                    return TensorData.empty(type);
                }
                start += place * strides.getOrDefault(dimension.name(), 0);
            }
        }
        List<Dimension> mapped = TensorTypes.mapped(from);
        int[] places = Shape.places(TensorTypes.mapped(type), from);
        int[] offsets = Shape.offsets(type, from);
        var rows =
                IntStream.range(0, tensor.subspaceCount())
                        .filter(i -> {
                            work.accept(TensorWork.SUBSPACE_UNITS);
                            return isAt(tensor.labels(i), mapped, at);
                        })
                        .toArray();
        if (rows.length == 0) {
            return TensorData.empty(type);
        }
        String[][] labels = new String[rows.length][places.length];
        double[] cells = new double[rows.length * offsets.length];
        for (int i = 0; i < rows.length; i++) {
            work.accept(TensorWork.SUBSPACE_UNITS + offsets.length);
            for (int label = 0; label < places.length; label++) {
                labels[i][label] = tensor.labels(rows[i])[places[label]];
            }
            int base = rows[i] * tensor.subspaceSize() + start;
            for (int cell = 0; cell < offsets.length; cell++) {
                cells[i * offsets.length + cell] = tensor.cells()[base + offsets[cell]];
            }
        }
        return TensorData.mixed(type, labels, cells);
    }

    private static int place(String label) {
        try {
            return Integer.parseInt(label);
        } catch (NumberFormatException _) {
            return -1;
        }
    }

    private static boolean isAt(String[] labels, List<Dimension> mapped, Map<String, String> at) {
        for (int i = 0; i < labels.length; i++) {
            String wanted = at.get(mapped.get(i).name());
            if (wanted != null && !wanted.equals(labels[i])) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the rank of each cell, from 0: the largest first, or the smallest. NaN comes last;
     * equal cells are ordered by their labels.
     */
    public static TensorData order(TensorData tensor, boolean largestFirst, IntConsumer work) {
        int size = tensor.subspaceSize();
        var places = new ArrayList<Integer>(tensor.cells().length);
        for (int subspace : tensor.inOrder(work)) {
            work.accept(TensorWork.CELL_UNITS * size);
            for (int i = 0; i < size; i++) {
                places.add(subspace * size + i);
            }
        }
        double[] cells = tensor.cells();
        Comparator<Integer> byCell =
                (a, b) -> {
                    work.accept(TensorWork.CELL_UNITS);
                    double x = cells[a];
                    double y = cells[b];
                    if (Double.isNaN(x) || Double.isNaN(y)) {
                        return Boolean.compare(Double.isNaN(x), Double.isNaN(y));
                    }
                    int order = x < y ? -1 : x > y ? 1 : 0;
                    return largestFirst ? -order : order;
                };
        places.sort(byCell);
        double[] ranks = new double[cells.length];
        for (int rank = 0; rank < ranks.length; rank++) {
            ranks[places.get(rank)] = rank;
        }
        return TensorData.mixed(TensorTypes.map(tensor.type()), tensor.allLabels(), ranks);
    }

    /** Returns the bits of each cell, taken as a byte, as cells of their own. */
    public static TensorData unpackBits(
            TensorData tensor, CellType kind, boolean bigEndian, IntConsumer work) {
        TensorType type = TensorTypes.unpackBits(tensor.type(), kind);
        double[] cells = new double[TensorMemory.cells(work, tensor.cells().length, 0, 8)];
        work.accept(cells.length);
        for (int i = 0; i < tensor.cells().length; i++) {
            int bits = (byte) (int) tensor.cells()[i];
            for (int bit = 0; bit < 8; bit++) {
                cells[8 * i + bit] = bits >> (bigEndian ? 7 - bit : bit) & 1;
            }
        }
        return TensorData.mixed(type, tensor.allLabels(), cells);
    }

    /** Returns a single subspace. */
    public static TensorData subspace(TensorData tensor, int number) {
        int size = tensor.subspaceSize();
        return TensorData.dense(
                tensor.type().subspaceType(),
                Arrays.copyOfRange(tensor.cells(), number * size, (number + 1) * size));
    }

    /** Returns the subspaces of {@code tensor} that are {@code selected}, in their order. */
    public static TensorData filter(TensorData tensor, boolean[] selected, IntConsumer work) {
        int count = 0;
        for (boolean each : selected) {
            count += each ? 1 : 0;
        }
        int size = tensor.subspaceSize();
        String[][] labels = new String[count][];
        double[] cells = new double[count * size];
        int next = 0;
        for (int i = 0; i < selected.length; i++) {
            if (selected[i]) {
                work.accept(size);
                labels[next] = tensor.labels(i);
                System.arraycopy(tensor.cells(), i * size, cells, next * size, size);
                next++;
            }
        }
        return TensorData.mixed(tensor.type(), labels, cells);
    }

    /**
     * Returns the tensor with other subspaces at the same labels.
     *
     * @param type of the result
     * @param cells of one subspace after the other
     */
    public static TensorData withSubspaces(TensorData tensor, TensorType type, double[] cells) {
        return TensorData.mixed(type, tensor.allLabels(), cells);
    }
}
