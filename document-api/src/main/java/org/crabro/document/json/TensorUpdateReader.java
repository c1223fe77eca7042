package org.crabro.document.json;

import java.util.ArrayList;
import java.util.List;
import org.crabro.document.FieldValue;
import org.crabro.document.json.FieldValueReader.UnfitValueException;
import org.crabro.document.operation.FieldChange;
import org.crabro.document.operation.FieldChange.CellOperator;
import org.crabro.document.operation.TensorCells;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads what updates do to a tensor, with the parser at the operand.
 *
 * <pre>
 *   add    := a tensor with at least one subspace
 *   remove := "{" "addresses" ":" "[" address { "," address } "]" "}"        ; mapped dimensions
 *   modify := "{" { "operation" ":" ( "replace" | "add" | "multiply" ) | "create" ":" bool
 *           | ( "cells" | "addresses" ) ":" ( cells | labels )
 *           | "blocks" ":" ( blocks | labels ) } "}"
 *   labels := "{" { label ":" ( number | values ) } "}"                      ; one mapped dimension
 *   cells  := "[" { "{" "address" ":" address "," "value" ":" number "}" } "]"
 *   blocks := "[" { "{" "address" ":" address "," "values" ":" values "}" } "]"
 * </pre>
 */
final class TensorUpdateReader {
    private final TensorType type;
    private final JsonParser parser;
    private final FieldValueReader values;

    TensorUpdateReader(TensorType type, JsonParser parser, FieldValueReader values) {
        this.type = type;
        this.parser = parser;
        this.values = values;
    }

    FieldChange add() {
        if (type.isDense()) {
            throw new UnfitValueException(
                    "'add' is for tensors with a mapped dimension, not for " + type);
        }
        FieldValue.MixedTensorValue added = values.mixed(type, parser);
        if (added.tensor().addresses().isEmpty()) {
            throw new UnfitValueException("there is nothing to add");
        }
        return new FieldChange.Add(added);
    }

    FieldChange remove() {
        if (type.isDense()) {
            throw new UnfitValueException(
                    "'remove' is for tensors with a mapped dimension, not for " + type);
        }
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw FieldValueReader.unexpected("an object with 'addresses'", parser);
        }
        FieldChange change = null;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            if (!parser.currentName().equals("addresses")) {
                throw new UnfitValueException(
                        "expected 'addresses' but found '%s'".formatted(parser.currentName()));
            }
            parser.nextToken();
            change = addresses();
        }
        if (change == null) {
            throw new UnfitValueException("'addresses' are missing");
        }
        return change;
    }

    private FieldChange addresses() {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw FieldValueReader.unexpected("an array of addresses", parser);
        }
        List<Integer> dimensions = List.of();
        List<List<String>> labels = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            @Nullable String[] address = address();
            List<Integer> named = new ArrayList<>();
            List<String> of = new ArrayList<>();
            for (int i = 0; i < address.length; i++) {
                String label = address[i];
                if (label != null) {
                    named.add(i);
                    of.add(label);
                }
            }
            if (named.isEmpty()) {
                throw new UnfitValueException("an address names no dimension of " + type);
            }
            if (!labels.isEmpty() && !named.equals(dimensions)) {
                throw new UnfitValueException("all addresses must name the same dimensions");
            }
            dimensions = named;
            labels.add(of);
        }
        if (labels.isEmpty()) {
            throw new UnfitValueException("there are no addresses");
        }
        return new FieldChange.RemoveSubspaces(
                dimensions.stream().map(at -> type.dimensions().get(at).name()).toList(), labels);
    }

    /** Reads labels of mapped dimensions, in the order of the type. */
    private @Nullable String[] address() {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw FieldValueReader.unexpected("an address, an object,", parser);
        }
        @Nullable String[] labels = new String[type.dimensions().size()];
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            int at = TensorAddress.indexOf(type, parser.currentName());
            if (type.dimensions().get(at) instanceof Dimension.Indexed(var name, _)) {
                throw new UnfitValueException(
                        "dimension '%s' of %s is indexed: only labels of mapped ones are removed"
                                .formatted(name, type));
            }
            if (!parser.nextToken().isScalarValue()) {
                throw FieldValueReader.unexpected("a label", parser);
            }
            labels[at] = TensorAddress.checked(parser.getString());
        }
        return labels;
    }

    FieldChange modify() {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw FieldValueReader.unexpected("an object with 'operation' and 'cells'", parser);
        }
        CellOperator operator = null;
        boolean create = false;
        TensorCells cells = null;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String member = parser.currentName();
            parser.nextToken();
            switch (member) {
                case "operation" -> operator = operator();
                case "create" -> create = create();
                case TensorMembers.CELLS, "addresses" -> cells = cells(false);
                case TensorMembers.BLOCKS -> cells = cells(true);
                default ->
                        throw new UnfitValueException(
                                "expected 'operation', 'create', 'cells' or 'blocks' but found '%s'"
                                        .formatted(member));
            }
        }
        if (operator == null || cells == null) {
            throw new UnfitValueException(
                    operator == null
                            ? "'operation' is missing"
                            : "'cells' or 'blocks' are missing");
        }
        return new FieldChange.ModifyCells(operator, create, cells);
    }

    private CellOperator operator() {
        String name = parser.currentToken() == JsonToken.VALUE_STRING ? parser.getString() : "";
        return switch (name) {
            case "replace" -> CellOperator.REPLACE;
            case "add" -> CellOperator.ADD;
            case "multiply" -> CellOperator.MULTIPLY;
            default ->
                    throw FieldValueReader.unexpected(
                            "\"replace\", \"add\" or \"multiply\"", parser);
        };
    }

    private boolean create() {
        return switch (parser.currentToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw FieldValueReader.unexpected("true or false as 'create'", parser);
        };
    }

    private TensorCells cells(boolean areBlocks) {
        if (areBlocks && (type.isDense() || type.subspaceType().dimensions().isEmpty())) {
            throw new UnfitValueException(
                    "'blocks' are for tensors with mapped and indexed dimensions, not for " + type);
        }
        var cells = new TensorCells.Builder();
        switch (parser.currentToken()) {
            case START_OBJECT -> labels(areBlocks, cells);
            case START_ARRAY -> {
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    entry(areBlocks, cells);
                }
            }
            default -> throw FieldValueReader.unexpected("an array or an object of cells", parser);
        }
        return cells.build();
    }

    private void labels(boolean areBlocks, TensorCells.Builder into) {
        boolean isSparse = type.subspaceType().dimensions().isEmpty();
        if (type.mappedCount() != 1 || !(areBlocks || isSparse)) {
            throw new UnfitValueException(
                    "expected an array of objects with 'address' for " + type);
        }
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            List<String> label = List.of(TensorAddress.checked(parser.currentName()));
            parser.nextToken();
            if (areBlocks) {
                add(label, values(), into);
            } else {
                add(label, 0, FieldValueReader.cell(parser), into);
            }
        }
    }

    private void entry(boolean isBlock, TensorCells.Builder into) {
        String valueMember = isBlock ? TensorMembers.VALUES : TensorMembers.VALUE;
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw FieldValueReader.unexpected(
                    "an object with 'address' and '" + valueMember + "'", parser);
        }
        TensorAddress address = null;
        DenseTensor block = null;
        Double value = null;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String member = parser.currentName();
            parser.nextToken();
            if (member.equals(TensorMembers.ADDRESS)) {
                address = TensorAddress.read(type, parser, !isBlock);
            } else if (!member.equals(valueMember)) {
                throw new UnfitValueException(
                        "expected 'address' or '%s' but found '%s'".formatted(valueMember, member));
            } else if (isBlock) {
                block = values();
            } else {
                value = FieldValueReader.cell(parser);
            }
        }
        if (address != null && block != null) {
            add(address.labels(), block, into);
        } else if (address != null && value != null) {
            add(address.labels(), address.cell(), value, into);
        } else {
            throw new UnfitValueException(
                    "an entry needs both 'address' and '%s'".formatted(valueMember));
        }
    }

    private DenseTensor values() {
        return values.dense(type.subspaceType(), parser);
    }

    private void add(List<String> labels, DenseTensor block, TensorCells.Builder into) {
        for (int i = 0; i < block.size(); i++) {
            add(labels, i, block.cell(i), into);
        }
    }

    private void add(List<String> labels, int index, double value, TensorCells.Builder into) {
        if (into.size() == DenseTensor.CELL_COUNT_MAX) {
            throw new UnfitValueException(
                    "more than %d cells are modified".formatted(DenseTensor.CELL_COUNT_MAX));
        }
        into.add(labels, index, value);
    }
}
