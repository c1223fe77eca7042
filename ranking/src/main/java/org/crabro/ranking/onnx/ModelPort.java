package org.crabro.ranking.onnx;

import java.util.List;
import java.util.Optional;

/**
 * An input or an output of a model, as declared in its file.
 *
 * @param type of the values, such as {@code float}; the kind of value if it is not a tensor
 * @param dimensions of the tensor
 */
public record ModelPort(String name, String type, List<Dimension> dimensions) {
    public ModelPort {
        dimensions = List.copyOf(dimensions);
    }

    /**
     * One dimension.
     *
     * @param size negative if the file does not declare it
     * @param symbol the name of a size that is not declared; equal names mean equal sizes; may be
     *     empty
     */
    public record Dimension(long size, String symbol) {
        boolean isKnown() {
            return size >= 0;
        }

        @Override
        public String toString() {
            return isKnown() ? Long.toString(size) : symbol.isEmpty() ? "?" : symbol;
        }
    }

    /** Returns the type of the values; empty if ranking cannot use them. */
    public Optional<ElementType> element() {
        return ElementType.named(type);
    }

    /** Returns type and sizes, such as {@code float[batch,16]}. */
    @Override
    public String toString() {
        return type
                + String.join(",", dimensions.stream().map(Dimension::toString).toList())
                        .transform(sizes -> "[" + sizes + "]");
    }
}
