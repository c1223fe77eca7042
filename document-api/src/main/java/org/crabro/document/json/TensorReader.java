package org.crabro.document.json;

import java.util.Arrays;
import org.crabro.document.json.FieldValueReader.UnfitValueException;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.HexCells;
import org.crabro.tensor.TensorSyntaxException;
import org.crabro.tensor.TensorType;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads one tensor whose dimensions are all indexed.
 *
 * <pre>
 *   tensor := values | cells
 *           | "{" [ "type" ":" scalar "," ] [ "values" ":" values | "cells" ":" cells ] "}"
 *   values := hexadecimal string | list
 *   list   := "[" ( number | list ) { "," ( number | list ) } "]"
 *   cells  := "[" [ cell { "," cell } ] "]"
 *   cell   := "{" "address" ":" "{" dimension ":" label ... "}" "," "value" ":" number "}"
 * </pre>
 *
 * <p>Nested lists are read as one flat list. In documents, the type is ignored, because the schema
 * defines it. Elsewhere it must be the expected one. Missing cells are 0, also if the tensor names
 * none. Subspaces of a mixed tensor name at least one.
 */
final class TensorReader {
    private static final int FIRST_CAPACITY = 1024;

    private final TensorType type;
    private final JsonParser parser;
    private final boolean isFed;
    private final LeftOutCells leftOut;
    private final int count;

    /** Grows with the cells, so that a short body of a large type needs little memory. */
    private double[] cells = new double[0];

    private int read;

    /** Whether the JSON names at least one cell, or lists values. */
    private boolean isNamed = true;

    TensorReader(TensorType type, JsonParser parser, LeftOutCells leftOut) {
        this(type, parser, true, leftOut);
    }

    /**
     * @param isFed whether the tensor is part of a document. Then a type in the JSON is ignored
     */
    TensorReader(TensorType type, JsonParser parser, boolean isFed, LeftOutCells leftOut) {
        if (type.cellCount() > DenseTensor.CELL_COUNT_MAX) {
            throw new UnfitValueException(
                    "%s has %d cells, at most %d can be given"
                            .formatted(type, type.cellCount(), DenseTensor.CELL_COUNT_MAX));
        }
        this.type = type;
        this.parser = parser;
        this.isFed = isFed;
        this.leftOut = leftOut;
        this.count = type.cellCount();
    }

    DenseTensor read() {
        readCells();
        return whole();
    }

    /** Reads one subspace of a tensor with mapped dimensions. */
    DenseTensor readSubspace() {
        readCells();
        if (!isNamed) {
            throw noCells();
        }
        return whole();
    }

    private void readCells() {
        switch (parser.currentToken()) {
            case START_OBJECT -> object();
            case START_ARRAY, VALUE_STRING -> valuesOrCells();
            default ->
                    throw FieldValueReader.unexpected(
                            "an array, a hexadecimal string or an object for " + type, parser);
        }
    }

    /** Reads a list to its end, with the parser at its first element. */
    DenseTensor readList() {
        listToEnd();
        return whole();
    }

    private DenseTensor whole() {
        if (read == 0) {
            throw noCells();
        }
        if (read != count) {
            throw wrongCount(Integer.toString(read));
        }
        return DenseTensor.of(type, cells);
    }

    private UnfitValueException noCells() {
        return new UnfitValueException("a value of type " + type + " has no cells");
    }

    private void object() {
        boolean isEmpty = true;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String member = parser.currentName();
            parser.nextToken();
            switch (member) {
                case TensorMembers.TYPE -> type();
                case TensorMembers.VALUES -> {
                    values();
                    isEmpty = false;
                }
                case TensorMembers.CELLS -> {
                    cells();
                    isEmpty = false;
                }
                default ->
                        throw new UnfitValueException(
                                "expected 'values' or 'cells' for %s but found '%s'"
                                        .formatted(type, member));
            }
        }
        if (isEmpty) {
            allZeros();
        }
    }

    private void allZeros() {
        leftOut.count(count);
        cells = new double[count];
        read = count;
        isNamed = false;
    }

    private void type() {
        if (isFed) {
            parser.skipChildren();
        } else if (parser.currentToken() == JsonToken.VALUE_STRING) {
            requireType(type, parser.getString());
        } else {
            throw FieldValueReader.unexpected("the text of a tensor type", parser);
        }
    }

    /** Throws if {@code expected} does not accept a type in the JSON. */
    static void requireType(TensorType expected, String said) {
        TensorType actual;
        try {
            actual = TensorType.parse(said);
        } catch (TensorSyntaxException e) {
            throw new UnfitValueException(String.valueOf(e.getMessage()), e);
        }
        if (!expected.accepts(actual)) {
            throw new UnfitValueException(
                    "expected type %s but found %s".formatted(expected, actual));
        }
    }

    private void valuesOrCells() {
        if (parser.currentToken() == JsonToken.VALUE_STRING) {
            values();
            return;
        }
        if (parser.nextToken() == JsonToken.START_OBJECT) {
            cellsToEnd();
        } else {
            listToEnd();
        }
    }

    private void values() {
        read = 0;
        isNamed = true;
        switch (parser.currentToken()) {
            case VALUE_STRING -> {
                try {
                    cells = HexCells.decode(parser.getString(), type);
                    read = count;
                } catch (TensorSyntaxException e) {
                    throw new UnfitValueException(String.valueOf(e.getMessage()), e);
                }
            }
            case START_ARRAY -> {
                parser.nextToken();
                listToEnd();
            }
            default ->
                    throw FieldValueReader.unexpected(
                            "an array of numbers or a hexadecimal string", parser);
        }
    }

    /** Reads the elements of the list to its end. */
    private void listToEnd() {
        int depth = 1;
        for (JsonToken token = parser.currentToken(); ; token = parser.nextToken()) {
            switch (token) {
                case START_ARRAY -> depth++;
                case END_ARRAY -> {
                    if (--depth == 0) {
                        return;
                    }
                }
                default -> add(number());
            }
        }
    }

    private double number() {
        return FieldValueReader.cell(parser);
    }

    private void add(double cell) {
        if (read == count) {
            throw wrongCount("more");
        }
        if (read == cells.length) {
            cells = Arrays.copyOf(cells, Math.min(count, Math.max(FIRST_CAPACITY, 2 * read)));
        }
        cells[read++] = cell;
    }

    private UnfitValueException wrongCount(String actual) {
        return new UnfitValueException(
                "Expected " + count + " values for " + type + ", but got " + actual);
    }

    private void cells() {
        read = 0;
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw FieldValueReader.unexpected("an array of cells", parser);
        }
        isNamed = true;
        if (parser.nextToken() == JsonToken.END_ARRAY) {
            allZeros();
        } else {
            cellsToEnd();
        }
    }

    /** Reads the cells of the array to its end. */
    private void cellsToEnd() {
        leftOut.count(count - 1);
        cells = new double[count];
        for (JsonToken token = parser.currentToken();
                token != JsonToken.END_ARRAY;
                token = parser.nextToken()) {
            if (token != JsonToken.START_OBJECT) {
                throw FieldValueReader.unexpected("a cell with 'address' and 'value'", parser);
            }
            cell();
            read = count;
        }
    }

    private void cell() {
        int index = -1;
        double value = 0;
        boolean hasValue = false;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String member = parser.currentName();
            parser.nextToken();
            switch (member) {
                case TensorMembers.ADDRESS -> index = TensorAddress.read(type, parser, true).cell();
                case TensorMembers.VALUE -> {
                    value = number();
                    hasValue = true;
                }
                default ->
                        throw new UnfitValueException(
                                "expected 'address' or 'value' in a cell but found '%s'"
                                        .formatted(member));
            }
        }
        if (index < 0 || !hasValue) {
            throw new UnfitValueException("a cell needs both 'address' and 'value'");
        }
        cells[index] = value;
    }
}
