package org.crabro.container.processing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.crabro.document.FieldValue;
import org.crabro.document.ShownValue;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;

/** The tensor operations of indexing scripts. */
final class TensorFunctions {
    private TensorFunctions() {}

    /** Returns the tensor with 1 for each cell above {@code threshold}, else 0. */
    static FieldValue binarized(FieldValue value, double threshold) {
        return mapped(
                value,
                type(value),
                cells -> {
                    var binary = new double[cells.length];
                    for (int i = 0; i < cells.length; i++) {
                        binary[i] = cells[i] > threshold ? 1 : 0;
                    }
                    return binary;
                });
    }

    /** Returns the tensor with a byte for eight cells, the first in the highest bit. */
    static FieldValue packed(FieldValue value) {
        TensorType type = type(value);
        List<Dimension> dimensions = new ArrayList<>();
        for (Dimension dimension : type.dimensions()) {
            dimensions.add(
                    dimension instanceof Dimension.Indexed(var name, int size)
                            ? new Dimension.Indexed(name, (size + 7) / 8)
                            : dimension);
        }
        return mapped(
                value,
                new TensorType(CellType.INT8, dimensions),
                cells -> {
                    var bytes = new double[(cells.length + 7) / 8];
                    for (int i = 0; i < bytes.length; i++) {
                        int bits = 0;
                        for (int bit = 8 * i; bit < 8 * i + 8; bit++) {
                            bits = bits << 1 | (bit < cells.length && cells[bit] > 0 ? 1 : 0);
                        }
                        bytes[i] = (byte) bits;
                    }
                    return bytes;
                });
    }

    /** Returns the same cells as those of another type, which has the same dimensions. */
    static FieldValue convert(FieldValue value, TensorType type) {
        return mapped(value, type, UnaryOperator.identity());
    }

    private static TensorType type(FieldValue value) {
        return switch (value) {
            case FieldValue.TensorValue(var tensor) -> tensor.type();
            case FieldValue.MixedTensorValue(var tensor) -> tensor.type();
            case FieldValue.Single _, FieldValue.Composite _ ->
                    throw new UnfitStepException(
                            "expected a tensor but found " + ShownValue.of(value));
        };
    }

    private static FieldValue mapped(
            FieldValue value, TensorType result, UnaryOperator<double[]> function) {
        if (value instanceof FieldValue.TensorValue(DenseTensor tensor)) {
            return new FieldValue.TensorValue(
                    DenseTensor.of(result, function.apply(cells(tensor))));
        }
        Map<List<String>, double[]> subspaces = new LinkedHashMap<>();
        if (value instanceof FieldValue.MixedTensorValue(MixedTensor tensor)) {
            for (int i = 0; i < tensor.addresses().size(); i++) {
                subspaces.put(tensor.addresses().get(i), function.apply(cells(tensor, i)));
            }
        }
        return new FieldValue.MixedTensorValue(MixedTensor.of(result, subspaces));
    }

    /** Returns the cells in standard order. */
    static double[] cells(DenseTensor tensor) {
        var cells = new double[tensor.size()];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = tensor.cell(i);
        }
        return cells;
    }

    /** Returns the cells of a subspace in standard order. */
    static double[] cells(MixedTensor tensor, int subspace) {
        var cells = new double[tensor.type().subspaceSize()];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = tensor.cell(subspace, i);
        }
        return cells;
    }
}
