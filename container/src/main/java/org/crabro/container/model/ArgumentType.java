package org.crabro.container.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.crabro.document.memory.MemoryShare;
import org.crabro.ranking.expression.WrittenTensor;
import org.crabro.ranking.onnx.ElementType;
import org.crabro.ranking.onnx.ModelPort;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorSyntaxException;
import org.crabro.tensor.TensorType;

/**
 * The type of an argument of a model: indexed dimensions {@code d0}, {@code d1} and so on, of known
 * or of any size, such as {@code tensor<float>(d0[],d1[784])}.
 *
 * @param sizes of the dimensions, 0 for any
 */
record ArgumentType(CellType cells, List<Integer> sizes) {
    /** The type of a number. */
    static final ArgumentType NUMBER = new ArgumentType(CellType.DOUBLE, List.of());

    ArgumentType {
        sizes = List.copyOf(sizes);
    }

    /** Returns the type of an input of a model. */
    static ArgumentType of(ModelPort port, ElementType element) {
        var sizes = new ArrayList<Integer>();
        for (ModelPort.Dimension dimension : port.dimensions()) {
            sizes.add(Math.clamp(dimension.size(), 0, Integer.MAX_VALUE));
        }
        return new ArgumentType(sizes.isEmpty() ? CellType.DOUBLE : element.cells(), sizes);
    }

    /**
     * Returns the tensor in a text. Dimensions of any size get the size of the lists in the text,
     * or one more than their largest label.
     *
     * @throws TensorSyntaxException if it is no tensor of this type
     */
    DenseTensor parse(String text) {
        String stripped = text.strip();
        if (stripped.startsWith("tensor")) {
            return accepted(DenseTensor.parse(stripped));
        }
        if (sizes.stream().allMatch(size -> size > 0)) {
            return DenseTensor.parse(stripped, type(sizes));
        }
        return DenseTensor.parse(
                stripped, type(stripped.startsWith("[") ? nested(stripped) : labeled(stripped)));
    }

    /**
     * Returns a tensor that has this type.
     *
     * @throws TensorSyntaxException if it has another one
     */
    DenseTensor accepted(DenseTensor tensor) {
        List<Dimension> dimensions = tensor.type().dimensions();
        var shape = new ArrayList<Integer>();
        for (Dimension dimension : dimensions) {
            if (dimension instanceof Dimension.Indexed(_, int size)) {
                shape.add(size);
            }
        }
        boolean isAccepted = shape.size() == sizes.size();
        for (int i = 0; isAccepted && i < sizes.size(); i++) {
            isAccepted =
                    dimensions.get(i).name().equals("d" + i)
                            && (sizes.get(i) == 0 || sizes.get(i).equals(shape.get(i)));
        }
        if (!isAccepted) {
            throw new TensorSyntaxException(
                    "expected type %s but found %s".formatted(this, tensor.type()));
        }
        return tensor;
    }

    /** Returns the sizes of the lists in a text; the first of each depth counts. */
    private List<Integer> nested(String text) {
        var shape = new ArrayList<Integer>();
        var ended = new ArrayList<Boolean>();
        int depth = 0;
        int count = 0;
        for (int i = 0; i < text.length(); i++) {
            switch (text.charAt(i)) {
                case '[' -> {
                    depth++;
                    if (depth > sizes.size()) {
                        throw TensorSyntaxException.at(
                                text, i, "lists are deeper than the dimensions of " + this);
                    }
                    if (shape.size() < depth) {
                        shape.add(1);
                        ended.add(false);
                    }
                }
                case ']' -> {
                    if (depth == 0) {
                        throw TensorSyntaxException.at(text, i, "a list ends that has not begun");
                    }
                    ended.set(depth - 1, true);
                    depth--;
                }
                case ',' -> {
                    count++;
                    if (depth > 0 && !ended.get(depth - 1)) {
                        shape.set(depth - 1, shape.get(depth - 1) + 1);
                    }
                }
                default -> {}
            }
        }
        return shape.size() == sizes.size() ? bound(shape) : flat(count + 1);
    }

    /** Returns the sizes for a list of all cells. */
    private List<Integer> flat(int cells) {
        long sizeProduct = 1;
        for (int size : sizes) {
            sizeProduct *= Math.max(1, size);
        }
        boolean isClear = sizes.stream().filter(size -> size == 0).count() == 1;
        if (!isClear || cells % sizeProduct != 0) {
            throw new TensorSyntaxException(
                    "a list of %d values has no clear sizes for %s; write a list for each dimension"
                            .formatted(cells, this));
        }
        int inferredSize = (int) (cells / sizeProduct);
        return sizes.stream()
                .map(size -> size == 0 ? Integer.valueOf(inferredSize) : size)
                .toList();
    }

    /** Returns the sizes that the labels of cells need. */
    private List<Integer> labeled(String text) {
        var mapped = new ArrayList<Dimension>();
        for (int i = 0; i < sizes.size(); i++) {
            mapped.add(new Dimension.Mapped("d" + i));
        }
        var shape = new ArrayList<Integer>();
        sizes.forEach(_ -> shape.add(1));
        if (WrittenTensor.parse(text, new TensorType(cells, mapped))
                instanceof MixedTensor tensor) {
            for (List<String> address : tensor.addresses()) {
                for (int i = 0; i < shape.size(); i++) {
                    String label = address.get(i);
                    if (!label.matches("[0-9]{1,9}")) {
                        throw new TensorSyntaxException(
                                "expected a number as label of d%d but found '%s'"
                                        .formatted(i, label));
                    }
                    shape.set(i, Math.max(shape.get(i), Integer.parseInt(label) + 1));
                }
            }
        }
        return bound(shape);
    }

    private List<Integer> bound(List<Integer> shape) {
        var sizesOfText = new ArrayList<Integer>();
        for (int i = 0; i < sizes.size(); i++) {
            sizesOfText.add(sizes.get(i) == 0 ? shape.get(i) : sizes.get(i));
        }
        return sizesOfText;
    }

    private TensorType type(List<Integer> bound) {
        long count = 1;
        var dimensions = new ArrayList<Dimension>();
        for (int i = 0; i < bound.size(); i++) {
            count = Math.min(count * bound.get(i), Integer.MAX_VALUE);
            dimensions.add(new Dimension.Indexed("d" + i, bound.get(i)));
        }
        if (count > DenseTensor.CELL_COUNT_MAX) {
            throw new TensorSyntaxException(
                    "the text has labels for more than %,d cells"
                            .formatted(DenseTensor.CELL_COUNT_MAX));
        }
        return new TensorType(cells, dimensions);
    }

    /** Returns the tensor of a single number: all sizes are 1 where they are not known. */
    DenseTensor filled(double value) {
        TensorType type =
                type(sizes.stream().map(size -> size == 0 ? Integer.valueOf(1) : size).toList());
        MemoryShare.current().charge((long) Double.BYTES * type.cellCount());
        var filled = new double[type.cellCount()];
        Arrays.fill(filled, value);
        return DenseTensor.of(type, filled);
    }

    /** Returns the type as text, such as {@code tensor<float>(d0[],d1[784])}. */
    @Override
    public String toString() {
        var text = new StringBuilder("tensor");
        if (cells != CellType.DOUBLE) {
            text.append('<').append(cells.name().toLowerCase(Locale.ROOT)).append('>');
        }
        text.append('(');
        for (int i = 0; i < sizes.size(); i++) {
            text.append(i == 0 ? "" : ",").append('d').append(i).append('[');
            text.append(sizes.get(i) == 0 ? "" : sizes.get(i)).append(']');
        }
        return text.append(')').toString();
    }
}
