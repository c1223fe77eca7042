package org.crabro.document.json;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.crabro.document.json.FieldValueReader.UnfitValueException;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads one tensor with mapped dimensions.
 *
 * <pre>
 *   tensor  := cells | blocks | labels | "{" { "type" ":" text | "cells" ":" cells | "cells" ":" labels
 *            | "blocks" ":" blocks | "blocks" ":" labels } "}"
 *   labels  := "{" { label ":" subspace } "}"                       ; one mapped dimension
 *   cells   := "[" { "{" "address" ":" address "," "value" ":" number "}" } "]"
 *   blocks  := "[" { "{" "address" ":" address "," "values" ":" subspace "}" } "]"
 *   subspace := number | values                                     ; values of indexed dimensions
 * </pre>
 *
 * <p>A label may equal a keyword; its value decides which it is. In documents, the type is ignored.
 * Elsewhere it must be the expected one. Of several cells with the same address, the last one is
 * used. Missing cells of a subspace are 0.
 */
final class MixedTensorReader {
    /** An entry that may be a cell or a block; its member decides. */
    private static final String EITHER = "";

    private final TensorType type;
    private final JsonParser parser;
    private final boolean isFed;
    private final LeftOutCells leftOut;
    private final int mappedCount;
    private final TensorType subspace;
    private final boolean sparse;

    /** Sorted, because labels with equal hash codes would make a hash map slow. */
    private final Map<List<String>, double[]> subspaces = new TreeMap<>(MixedTensor.ADDRESS_ORDER);

    MixedTensorReader(TensorType type, JsonParser parser, LeftOutCells leftOut) {
        this(type, parser, true, leftOut);
    }

    /**
     * @param isFed as for a {@link TensorReader}
     */
    MixedTensorReader(TensorType type, JsonParser parser, boolean isFed, LeftOutCells leftOut) {
        this.type = type;
        this.parser = parser;
        this.isFed = isFed;
        this.leftOut = leftOut;
        this.mappedCount = type.mappedCount();
        this.subspace = type.subspaceType();
        this.sparse = subspace.dimensions().isEmpty();
    }

    MixedTensor read() {
        switch (parser.currentToken()) {
            case START_ARRAY -> {
                parser.nextToken();
                entriesToEnd(EITHER);
            }
            case START_OBJECT -> object();
            default ->
                    throw FieldValueReader.unexpected("an object or an array for " + type, parser);
        }
        return MixedTensor.of(type, subspaces);
    }

    private void object() {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String member = parser.currentName();
            JsonToken token = parser.nextToken();
            switch (member) {
                case TensorMembers.TYPE -> {
                    if (token != JsonToken.VALUE_STRING
                            || !parser.getString().startsWith("tensor")) {
                        label(member);
                    } else if (!isFed) {
                        TensorReader.requireType(type, parser.getString());
                    }
                }
                case TensorMembers.CELLS -> part(member, TensorMembers.VALUE);
                case TensorMembers.BLOCKS -> part(member, TensorMembers.VALUES);
                default -> {
                    if (mappedCount != 1 && member.equals(TensorMembers.VALUES)) {
                        throw new UnfitValueException(
                                "%s has mapped dimensions: expected 'cells' or 'blocks', not 'values'"
                                        .formatted(type));
                    }
                    label(member);
                }
            }
        }
    }

    /** Reads the value after {@code cells} or {@code blocks}, which may be that word or a label. */
    private void part(String member, String entry) {
        switch (parser.currentToken()) {
            case START_OBJECT -> {
                checkBlocks(entry);
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    label(name);
                }
            }
            case START_ARRAY -> {
                JsonToken first = parser.nextToken();
                if (first == JsonToken.START_OBJECT || first == JsonToken.END_ARRAY) {
                    checkBlocks(entry);
                    entriesToEnd(entry);
                } else {
                    checkLabels(member);
                    add(
                            List.of(member),
                            cells(new TensorReader(subspace, parser, isFed, leftOut).readList()));
                }
            }
            default -> label(member);
        }
    }

    private void checkBlocks(String entry) {
        if (sparse && entry.equals(TensorMembers.VALUES)) {
            throw new UnfitValueException(
                    "'blocks' are for tensors with mapped and indexed dimensions, not for " + type);
        }
    }

    private void checkLabels(String member) {
        if (mappedCount != 1) {
            throw new UnfitValueException(
                    "expected 'cells' or 'blocks' with addresses for %s but found '%s'"
                            .formatted(type, member));
        }
    }

    private void label(String label) {
        checkLabels(label);
        add(List.of(TensorAddress.checked(label)), values());
    }

    private double[] values() {
        return sparse
                ? new double[] {FieldValueReader.cell(parser)}
                : cells(new TensorReader(subspace, parser, isFed, leftOut).readSubspace());
    }

    private static double[] cells(DenseTensor tensor) {
        var cells = new double[tensor.size()];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = tensor.cell(i);
        }
        return cells;
    }

    private void add(List<String> address, double[] cells) {
        if (!subspaces.containsKey(address)) {
            checkCount();
        }
        subspaces.put(address, cells);
    }

    /** Throws if another subspace would exceed the limit. */
    private void checkCount() {
        long size = subspace.cellCount();
        if ((subspaces.size() + 1L) * size > DenseTensor.CELL_COUNT_MAX) {
            throw new UnfitValueException(
                    "a value of %s has more than %d cells"
                            .formatted(type, DenseTensor.CELL_COUNT_MAX));
        }
    }

    /** Reads the entries of the array to its end. */
    private void entriesToEnd(String member) {
        for (JsonToken token = parser.currentToken();
                token != JsonToken.END_ARRAY;
                token = parser.nextToken()) {
            if (token != JsonToken.START_OBJECT) {
                throw FieldValueReader.unexpected(
                        "an object with 'address' and '" + named(member) + "'", parser);
            }
            entry(member);
        }
    }

    private static String named(String member) {
        return member.equals(EITHER) ? TensorMembers.VALUE : member;
    }

    private void entry(String asked) {
        String valueMember = asked;
        @Nullable String[] labels = null;
        TensorAddress address = null;
        double[] values = null;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String member = parser.currentName();
            parser.nextToken();
            if (valueMember.equals(EITHER)
                    && (member.equals(TensorMembers.VALUE)
                            || member.equals(TensorMembers.VALUES))) {
                checkBlocks(member);
                valueMember = member;
            }
            if (member.equals(TensorMembers.ADDRESS)) {
                labels = TensorAddress.labels(type, parser);
            } else if (!member.equals(valueMember)) {
                throw new UnfitValueException(
                        "expected 'address' or '%s' but found '%s'"
                                .formatted(named(valueMember), member));
            } else if (valueMember.equals(TensorMembers.VALUE)) {
                values = new double[] {FieldValueReader.cell(parser)};
            } else {
                values = values();
            }
            if (labels != null && !valueMember.equals(EITHER)) {
                address = TensorAddress.of(type, labels, valueMember.equals(TensorMembers.VALUE));
                labels = null;
            }
        }
        if (address == null || values == null) {
            throw new UnfitValueException(
                    "an entry needs both 'address' and '%s'".formatted(named(valueMember)));
        }
        if (valueMember.equals(TensorMembers.VALUE)) {
            cell(address, values[0]);
        } else {
            add(address.labels(), values);
        }
    }

    private void cell(TensorAddress address, double value) {
        double[] cells = subspaces.get(address.labels());
        if (cells == null) {
            checkCount();
            leftOut.count(subspace.cellCount() - 1);
            cells = new double[subspace.cellCount()];
            subspaces.put(address.labels(), cells);
        }
        cells[address.cell()] = value;
    }
}
