package org.crabro.document.json;

import java.util.ArrayList;
import java.util.List;
import org.crabro.document.json.FieldValueReader.UnfitValueException;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The address of a cell: its subspace, and its index in the subspace.
 *
 * @param labels of the mapped dimensions, in the order of the type
 * @param cell index in standard order; 0 for the address of a subspace
 */
record TensorAddress(List<String> labels, int cell) {
    /**
     * Reads an address, an object, with the parser at its start.
     *
     * @param withIndexed whether it must name the indexed dimensions too; otherwise it must not
     */
    static TensorAddress read(TensorType type, JsonParser parser, boolean withIndexed) {
        return of(type, labels(type, parser), withIndexed);
    }

    /** Reads the label of each dimension, null if it is missing. */
    static @Nullable String[] labels(TensorType type, JsonParser parser) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw FieldValueReader.unexpected("an object as 'address'", parser);
        }
        @Nullable String[] labels = new String[type.dimensions().size()];
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            int at = indexOf(type, parser.currentName());
            if (!parser.nextToken().isScalarValue()) {
                throw FieldValueReader.unexpected("a label", parser);
            }
            labels[at] = checked(parser.getString());
        }
        return labels;
    }

    /** Returns the address for labels. */
    static TensorAddress of(TensorType type, @Nullable String[] labels, boolean withIndexed) {
        var mappedLabels = new ArrayList<String>();
        int cell = 0;
        for (int i = 0; i < labels.length; i++) {
            String label = labels[i];
            Dimension dimension = type.dimensions().get(i);
            boolean needed = withIndexed || dimension instanceof Dimension.Mapped;
            if (needed != (label != null)) {
                throw new UnfitValueException(
                        "an address %s dimension '%s' of %s"
                                .formatted(
                                        needed ? "lacks" : "of a block names the indexed",
                                        dimension.name(),
                                        type));
            }
            if (label != null) {
                switch (dimension) {
                    case Dimension.Mapped _ -> mappedLabels.add(label);
                    case Dimension.Indexed(var name, int size) ->
                            cell = cell * size + index(name, size, label);
                }
            }
        }
        return new TensorAddress(List.copyOf(mappedLabels), cell);
    }

    /** Returns a label. Rejects an unpaired surrogate, which cannot be stored. */
    static String checked(String label) {
        for (int i = 0; i < label.length(); i++) {
            if (Character.isSurrogate(label.charAt(i))) {
                char next = i + 1 < label.length() ? label.charAt(i + 1) : 0;
                if (!Character.isSurrogatePair(label.charAt(i), next)) {
                    throw new UnfitValueException("a label holds half a surrogate pair");
                }
                i++;
            }
        }
        return label;
    }

    /** Returns the index of a dimension in a type. */
    static int indexOf(TensorType type, @Nullable String name) {
        for (int i = 0; i < type.dimensions().size(); i++) {
            if (type.dimensions().get(i).name().equals(name)) {
                return i;
            }
        }
        throw new UnfitValueException(type + " has no dimension '" + name + "'");
    }

    private static int index(String name, int size, String label) {
        try {
            int index = Integer.parseInt(label);
            if (index >= 0 && index < size) {
                return index;
            }
        } catch (NumberFormatException _) {
            // Reported below, like any invalid label.
        }
        throw new UnfitValueException(
                "expected a label from 0 to %d of dimension '%s' but found \"%s\""
                        .formatted(size - 1, name, label));
    }
}
