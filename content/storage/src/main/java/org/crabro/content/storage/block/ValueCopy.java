package org.crabro.content.storage.block;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.content.storage.layout.ChunkEncoding;
import org.crabro.protocol.encoding.RowBuffer;

/**
 * Encodes values of columns as they are in a row, in the format of {@link
 * org.crabro.protocol.encoding.RowEncoding}. For one thread.
 *
 * @param out receives the values
 */
record ValueCopy(RowBuffer out) {
    static int width(Column.NumberKind kind) {
        return switch (kind) {
            case INT, FLOAT -> Integer.BYTES;
            case LONG, DOUBLE -> Long.BYTES;
        };
    }

    /**
     * Appends a value.
     *
     * @param index of the row, or of the element if {@code column} holds elements
     * @param text reads the strings of the column
     */
    void put(Column column, int index, TextReader text) {
        switch (column) {
            case Column.Numbers numbers -> {
                int width = width(numbers.kind());
                out.putBytes(numbers.values(), (long) index * width, width);
            }
            case Column.Booleans booleans ->
                    out.putByte(booleans.values().get(ValueLayout.JAVA_BYTE, index));
            case Column.Texts strings -> {
                text.read(strings, index);
                out.putInt(text.length());
                out.putBytes(text.bytes(), text.offset(), text.length());
            }
            case Column.Arrays arrays -> {
                int from = arrays.first(index);
                int to = arrays.first(index + 1);
                out.putInt(to - from);
                for (int i = from; i < to; i++) {
                    put(arrays.elements(), i, text);
                }
            }
            case Column.WeightedSets sets ->
                    putPairs(
                            sets.first(index),
                            sets.first(index + 1),
                            sets.elements(),
                            sets.weights(),
                            text);
            case Column.Maps maps ->
                    putPairs(
                            maps.first(index),
                            maps.first(index + 1),
                            maps.keys(),
                            maps.values(),
                            text);
            case Column.Structs structs -> putStruct(structs, index, text);
            case Column.DenseTensors tensors -> {
                long width = tensors.width();
                out.putBytes(tensors.cells(), index * width, width);
            }
            case Column.MixedTensors tensors -> putMixed(tensors, index, text);
        }
    }

    private void putMixed(Column.MixedTensors tensors, int index, TextReader text) {
        int from = tensors.first(index);
        int to = tensors.first(index + 1);
        out.putInt(to - from);
        for (int dimension = 0; dimension < tensors.labels().size(); dimension++) {
            Column.Texts labels = tensors.labels().get(dimension);
            for (int i = from; i < to; i++) {
                put(labels, i, text);
            }
        }
        long width = ChunkEncoding.subspaceWidth(tensors.type());
        out.putBytes(tensors.cells(), from * width, (to - from) * width);
    }

    private void putPairs(int from, int to, Column keys, Column values, TextReader text) {
        out.putInt(to - from);
        for (int i = from; i < to; i++) {
            put(keys, i, text);
            put(values, i, text);
        }
    }

    private void putStruct(Column.Structs structs, int index, TextReader text) {
        List<Optional<Column>> fields = structs.fields();
        int set = 0;
        for (int i = 0; i < fields.size(); i++) {
            set += has(fields.get(i), index) ? 1 : 0;
        }
        out.putShort(set);
        for (int i = 0; i < fields.size(); i++) {
            if (has(fields.get(i), index)) {
                out.putShort(i);
                put(fields.get(i).orElseThrow(), index, text);
            }
        }
    }

    private static boolean has(Optional<Column> field, int index) {
        return field.isPresent() && field.get().presence().has(index);
    }
}
