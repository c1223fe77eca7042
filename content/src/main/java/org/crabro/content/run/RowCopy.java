package org.crabro.content.run;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.crabro.document.DocumentType;
import org.crabro.protocol.encoding.RowBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Puts rows of blocks back into the form in which they were written, byte for byte, in memory that
 * is used again. For one thread.
 */
final class RowCopy {
    private final long fingerprint;
    private final RowBuffer out = new RowBuffer();
    private final RawKey key = new RawKey();

    // Of the block of the row before.
    private final @Nullable Column[] columns;
    private @Nullable EncodedBlock last;
    private boolean hasTombstones;

    /** One per field: neighbours cost one decompressing. */
    private final TextReader[] texts;

    /**
     * @param type of all rows
     */
    RowCopy(DocumentType type) {
        this.fingerprint = type.fingerprint();
        this.columns = new Column[type.fields().size()];
        this.texts = new TextReader[columns.length];
        Arrays.setAll(texts, _ -> new TextReader());
    }

    /**
     * Returns a row as {@link org.crabro.protocol.encoding.RowEncoding} tells; valid until the
     * next.
     *
     * @throws IllegalArgumentException if the block is of another type
     */
    MemorySegment encode(EncodedBlock block, int row) {
        key.set(block.keys(), row);
        return encode(block, row, key);
    }

    /**
     * Returns a row likewise.
     *
     * @param rowKey of the row
     */
    MemorySegment encode(EncodedBlock block, int row, RawKey rowKey) {
        if (block != last) {
            open(block);
        }
        out.begin(
                fingerprint,
                block.timestamp(row),
                hasTombstones && block.isTombstone(row),
                rowKey.bytes(),
                0,
                rowKey.length());
        for (int field = 0; field < columns.length; field++) {
            Column column = columns[field];
            if (column != null && column.presence().has(row)) {
                out.beginField(field);
                put(column, row, texts[field]);
            }
        }
        return out.row();
    }

    private void open(EncodedBlock block) {
        if (block.fingerprint() != fingerprint) {
            throw new IllegalArgumentException(
                    "a block of type %016x, expected %016x"
                            .formatted(block.fingerprint(), fingerprint));
        }
        for (int field = 0; field < columns.length; field++) {
            columns[field] = block.column(field);
        }
        hasTombstones = block.hasTombstones();
        last = block;
    }

    private void put(Column column, int index, TextReader text) {
        switch (column) {
            case Column.Numbers numbers -> {
                int width =
                        switch (numbers.kind()) {
                            case INT, FLOAT -> Integer.BYTES;
                            case LONG, DOUBLE -> Long.BYTES;
                        };
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
        long width = BlockWriter.subspaceWidth(tensors.type());
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
