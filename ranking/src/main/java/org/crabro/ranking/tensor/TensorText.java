package org.crabro.ranking.tensor;

import java.util.List;
import org.crabro.tensor.CellType;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/** Writes tensors as text: the type, a colon and the shortest form of the value. */
public final class TensorText {
    private TensorText() {}

    /** Returns {@code tensor} as text that reads back as the same tensor. */
    public static String of(TensorData tensor) {
        TensorType type = tensor.type();
        var text = new StringBuilder().append(type).append(':');
        int mapped = type.mappedCount();
        int size = tensor.subspaceSize();
        if (type.dimensions().isEmpty()) {
            return text.append('{').append(tensor.cells()[0]).append('}').toString();
        }
        if (mapped == 0) {
            appendList(text, tensor, 0, 0, size);
            return text.toString();
        }
        text.append('{');
        String separator = "";
        for (int subspace : tensor.inOrder()) {
            if (mapped == 1) {
                appendLabel(text.append(separator), tensor.labels(subspace)[0]);
                text.append(':');
                appendList(text, tensor, 0, subspace * size, size);
                separator = ", ";
                continue;
            }
            for (int i = 0; i < size; i++) {
                text.append(separator).append('{');
                appendAddress(text, type, tensor.labels(subspace), i);
                text.append("}:");
                appendCell(text, type.cellType(), tensor.cells()[subspace * size + i]);
                separator = ", ";
            }
        }
        return text.append('}').toString();
    }

    private static void appendAddress(
            StringBuilder text, TensorType type, String[] labels, int cell) {
        int label = 0;
        int part = type.subspaceSize();
        String separator = "";
        for (Dimension dimension : type.dimensions()) {
            text.append(separator).append(dimension.name()).append(':');
            switch (dimension) {
                case Dimension.Mapped _ -> appendLabel(text, labels[label++]);
                case Dimension.Indexed(_, int size) -> {
                    part /= size;
                    text.append(cell / part % size);
                }
            }
            separator = ",";
        }
    }

    private static void appendLabel(StringBuilder text, String label) {
        if (label.matches("[A-Za-z0-9_@][A-Za-z0-9_@$]*")) {
            text.append(label);
        } else if (label.contains("'")) {
            text.append('"').append(escaped(label, '"')).append('"');
        } else {
            text.append('\'').append(escaped(label, '\'')).append('\'');
        }
    }

    private static String escaped(String label, char quote) {
        return label.replace("\\", "\\\\")
                .replace(String.valueOf(quote), "\\" + quote)
                .replace("\n", "\\n")
                .replace("\r", "\\r")
                .replace("\t", "\\t")
                .replace("\f", "\\f");
    }

    private static void appendList(
            StringBuilder text, TensorData tensor, int dimension, int start, int count) {
        List<Dimension.Indexed> indexed = TensorTypes.indexed(tensor.type());
        if (dimension == indexed.size()) {
            appendCell(text, tensor.type().cellType(), tensor.cells()[start]);
            return;
        }
        int size = indexed.get(dimension).size();
        int part = count / size;
        text.append('[');
        for (int i = 0; i < size; i++) {
            text.append(i == 0 ? "" : ", ");
            appendList(text, tensor, dimension + 1, start + i * part, part);
        }
        text.append(']');
    }

    private static void appendCell(StringBuilder text, CellType kind, double cell) {
        switch (kind) {
            case DOUBLE -> text.append(cell);
            case FLOAT, BFLOAT16 -> text.append((float) cell);
            case INT8 -> text.append((int) cell);
        }
    }
}
