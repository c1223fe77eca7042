package org.crabro.ranking.onnx;

import java.util.List;
import java.util.Optional;

/**
 * An input or an output of a model, as its file says.
 *
 * @param type of the values, such as {@code float}; or what there is in the place of a tensor
 * @param dimensions of the tensor
 */
public record ModelPort(String name, String type, List<Dimension> dimensions) {
    public ModelPort {
        dimensions = List.copyOf(dimensions);
    }

    /**
     * One dimension.
     *
     * @param size negative where the file does not say it
     * @param symbol what a size that is not said is called, the same where it is the same; may be
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

    /** Returns what the values are; nothing where ranking cannot work with them. */
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
