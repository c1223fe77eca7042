package org.crabro.document.operation;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.operation.FieldChange.CellOperator;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** Changes tensors: dense ones cell by cell, others by subspace. */
final class TensorChanges {
    private TensorChanges() {}

    static FieldValue added(@Nullable FieldValue value, TensorType type, FieldValue added) {
        Map<List<String>, double[]> subspaces = subspaces(value);
        subspaces.putAll(subspaces(added));
        return tensor(type, subspaces);
    }

    static @Nullable FieldValue removed(
            @Nullable FieldValue value, FieldType type, FieldChange.RemoveSubspaces removal) {
        if (value == null) {
            return null;
        }
        TensorType tensor = tensorType(type);
        List<String> mapped =
                tensor.dimensions().stream()
                        .filter(Dimension.Mapped.class::isInstance)
                        .map(Dimension::name)
                        .toList();
        int[] places = removal.dimensions().stream().mapToInt(mapped::indexOf).toArray();
        if (Arrays.stream(places).anyMatch(place -> place < 0)) {
            throw new IllegalArgumentException(
                    "not all of %s are mapped dimensions of %s"
                            .formatted(removal.dimensions(), tensor));
        }
        Map<List<String>, double[]> subspaces = subspaces(value);
        var gone = new HashSet<>(removal.labels());
        subspaces
                .keySet()
                .removeIf(labels -> {
                    List<String> named = Arrays.stream(places).mapToObj(labels::get).toList();
                    return gone.contains(named);
                });
        return tensor(tensor, subspaces);
    }

    static @Nullable FieldValue modified(
            @Nullable FieldValue value, FieldType type, FieldChange.ModifyCells change) {
        TensorType tensor = tensorType(type);
        if (value == null && !change.create()) {
            return null;
        }
        return tensor.isDense()
                ? modifiedDense(value, tensor, change)
                : modifiedMixed(value, tensor, change);
    }

    private static TensorType tensorType(FieldType type) {
        if (type instanceof FieldType.TensorOf(var tensor)) {
            return tensor;
        }
        throw ValueChanges.unfit("a tensor", type);
    }

    private static FieldValue modifiedDense(
            @Nullable FieldValue value, TensorType type, FieldChange.ModifyCells change) {
        var cells = new double[type.cellCount()];
        if (value != null) {
            if (!(value instanceof FieldValue.TensorValue(var tensor))
                    || tensor.size() != cells.length) {
                throw ValueChanges.unfit("a tensor of " + type, value);
            }
            for (int i = 0; i < cells.length; i++) {
                cells[i] = tensor.cell(i);
            }
        }
        for (int i = 0; i < change.cells().size(); i++) {
            modify(cells, change, i);
        }
        return new FieldValue.TensorValue(DenseTensor.of(type, cells));
    }

    private static FieldValue modifiedMixed(
            @Nullable FieldValue value, TensorType type, FieldChange.ModifyCells change) {
        Map<List<String>, double[]> subspaces = subspaces(value);
        for (int i = 0; i < change.cells().size(); i++) {
            List<String> labels = change.cells().labels(i);
            double[] cells = subspaces.get(labels);
            if (cells == null && change.create()) {
                // Checked before creation, because each change may name another subspace.
                checkCount(type, subspaces.size() + 1);
                cells = new double[type.subspaceSize()];
                Arrays.fill(cells, change.operator() == CellOperator.MULTIPLY ? 1 : 0);
                subspaces.put(labels, cells);
            }
            if (cells != null) {
                modify(cells, change, i);
            }
        }
        return tensor(type, subspaces);
    }

    private static void modify(double[] cells, FieldChange.ModifyCells change, int of) {
        int index = change.cells().index(of);
        if (index < 0 || index >= cells.length) {
            throw new IllegalArgumentException(
                    "there is no cell %d among %d".formatted(index, cells.length));
        }
        double operand = change.cells().value(of);
        cells[index] =
                switch (change.operator()) {
                    case REPLACE -> operand;
                    case ADD -> cells[index] + operand;
                    case MULTIPLY -> cells[index] * operand;
                };
    }

    /** Returns the cells of each subspace, in arrays that may be changed. */
    private static Map<List<String>, double[]> subspaces(@Nullable FieldValue value) {
        // Sorted, because labels with equal hash codes would make a hash map slow.
        var subspaces = new TreeMap<List<String>, double[]>(MixedTensor.ADDRESS_ORDER);
        if (value == null) {
            return subspaces;
        }
        if (!(value instanceof FieldValue.MixedTensorValue(var tensor))) {
            throw ValueChanges.unfit("a tensor with a mapped dimension", value);
        }
        int size = tensor.type().subspaceSize();
        for (int i = 0; i < tensor.addresses().size(); i++) {
            var cells = new double[size];
            for (int cell = 0; cell < size; cell++) {
                cells[cell] = tensor.cell(i, cell);
            }
            subspaces.put(tensor.addresses().get(i), cells);
        }
        return subspaces;
    }

    /**
     * @throws IllegalArgumentException if there are more cells than the limit, or the number of
     *     labels is not that of the dimensions
     */
    private static FieldValue tensor(TensorType type, Map<List<String>, double[]> subspaces) {
        checkCount(type, subspaces.size());
        return new FieldValue.MixedTensorValue(MixedTensor.of(type, subspaces));
    }

    private static void checkCount(TensorType type, int subspaces) {
        if ((long) subspaces * type.subspaceSize() > DenseTensor.CELL_COUNT_MAX) {
            throw new IllegalArgumentException(
                    "a value of %s has more than %d cells"
                            .formatted(type, DenseTensor.CELL_COUNT_MAX));
        }
    }
}
