package org.crabro.tensor;

import java.util.List;

/**
 * Writes tensors as text: the type, a colon and the value.
 *
 * <pre>
 *   tensor(x[2]):[1.0, 2.0]                      tensor(x[2]):{{x:0}:1.0, {x:1}:2.0}
 *   tensor(k{},x[1]):{a:[1.0], 'b c':[2.0]}      tensor(k{},x[1]):{{k:a,x:0}:1.0, {k:'b c',x:0}:2.0}
 *   tensor(k{},m{}):{{k:a,m:b}:1.0}              the same
 * </pre>
 *
 * <p>The shortest form is on the left. The long form is on the right; it writes cells as doubles
 * for all cell types.
 */
public final class TensorText {
    private final StringBuilder text = new StringBuilder();
    private final TensorType type;
    private final CellType cells;

    private TensorText(TensorType type, CellType cells) {
        this.type = type;
        this.cells = cells;
        text.append(type).append(':');
    }

    /** Returns {@code tensor} in the shortest form, from which the same tensor can be parsed. */
    public static String of(Tensor tensor) {
        var text = new TensorText(tensor.type(), tensor.type().cellType());
        switch (tensor) {
            case DenseTensor dense -> text.appendShort(dense);
            case MixedTensor mixed when mixed.type().mappedCount() == 1 -> text.appendBlocks(mixed);
            case MixedTensor mixed -> text.appendCells(mixed);
        }
        return text.text.toString();
    }

    /** Returns {@code tensor} with every cell at its address. */
    public static String longOf(Tensor tensor) {
        var text = new TensorText(tensor.type(), CellType.DOUBLE);
        switch (tensor) {
            case DenseTensor number when number.type().dimensions().isEmpty() ->
                    text.appendShort(number);
            case DenseTensor dense -> text.appendCells(dense);
            case MixedTensor mixed -> text.appendCells(mixed);
        }
        return text.text.toString();
    }

    private void appendShort(DenseTensor tensor) {
        if (type.dimensions().isEmpty()) {
            text.append('{');
            appendCell(tensor.cell(0));
            text.append('}');
        } else {
            appendList(tensor::cell, type.dimensions(), 0, tensor.size());
        }
    }

    private void appendBlocks(MixedTensor tensor) {
        List<Dimension> indexed = type.subspaceType().dimensions();
        text.append('{');
        for (int subspace = 0; subspace < tensor.addresses().size(); subspace++) {
            int block = subspace;
            text.append(subspace == 0 ? "" : ", ");
            appendLabel(tensor.addresses().get(subspace).getFirst());
            text.append(':');
            appendList(index -> tensor.cell(block, index), indexed, 0, type.subspaceSize());
        }
        text.append('}');
    }

    private void appendCells(DenseTensor tensor) {
        text.append('{');
        for (int i = 0; i < tensor.size(); i++) {
            appendCell(i == 0, List.of(), i, tensor.cell(i));
        }
        text.append('}');
    }

    private void appendCells(MixedTensor tensor) {
        text.append('{');
        for (int subspace = 0; subspace < tensor.addresses().size(); subspace++) {
            List<String> labels = tensor.addresses().get(subspace);
            for (int i = 0; i < type.subspaceSize(); i++) {
                appendCell(subspace == 0 && i == 0, labels, i, tensor.cell(subspace, i));
            }
        }
        text.append('}');
    }

    private void appendCell(boolean isFirst, List<String> labels, int index, double cell) {
        text.append(isFirst ? "{" : ", {");
        appendAddress(labels, index);
        text.append("}:");
        appendCell(cell);
    }

    private void appendAddress(List<String> labels, int index) {
        int label = 0;
        int part = type.subspaceSize();
        String separator = "";
        for (Dimension dimension : type.dimensions()) {
            text.append(separator).append(dimension.name()).append(':');
            switch (dimension) {
                case Dimension.Mapped _ -> appendLabel(labels.get(label++));
                case Dimension.Indexed(_, int size) -> {
                    part /= size;
                    text.append(index / part % size);
                }
            }
            separator = ",";
        }
    }

    private void appendLabel(String label) {
        if (label.matches("[A-Za-z0-9_@][A-Za-z0-9_@$]*")) {
            text.append(label);
            return;
        }
        char quote = label.contains("'") ? '"' : '\'';
        text.append(quote).append(escaped(label, quote)).append(quote);
    }

    private static String escaped(String label, char quote) {
        return label.replace("\\", "\\\\")
                .replace(String.valueOf(quote), "\\" + quote)
                .replace("\n", "\\n")
                .replace("\r", "\\r")
                .replace("\t", "\\t")
                .replace("\f", "\\f");
    }

    /** The cells of one subspace, in standard order. */
    private interface Cells {
        double at(int index);
    }

    private void appendList(Cells values, List<Dimension> indexed, int start, int count) {
        if (indexed.isEmpty()) {
            appendCell(values.at(start));
            return;
        }
        int size = ((Dimension.Indexed) indexed.getFirst()).size();
        int part = count / size;
        text.append('[');
        for (int i = 0; i < size; i++) {
            text.append(i == 0 ? "" : ", ");
            appendList(values, indexed.subList(1, indexed.size()), start + i * part, part);
        }
        text.append(']');
    }

    private void appendCell(double cell) {
        switch (cells) {
            case DOUBLE -> text.append(cell);
            case FLOAT, BFLOAT16 -> text.append((float) cell);
            case INT8 -> text.append((int) cell);
        }
    }
}
