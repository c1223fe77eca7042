package org.crabro.content.storage.block;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Predicate;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.content.storage.block.key.RowKeyBuffer;
import org.crabro.document.DocumentType;
import org.crabro.protocol.encoding.RowBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Encodes rows of blocks again as they were written, byte for byte, into a reused buffer. The
 * values of removed fields are left out. A writer of another block copies values of fixed width
 * directly from the column; with vectors, these are most of the bytes. For one thread.
 */
public final class RowCopy {
    private final long fingerprint;
    private final boolean[] removed;
    private final RowBuffer out = new RowBuffer();
    private final ValueCopy values = new ValueCopy(out);
    private final RowKeyBuffer key = new RowKeyBuffer();

    // The columns of the block of the previous row.
    private final @Nullable Column[] columns;
    private @Nullable EncodedBlock last;
    private boolean hasTombstones;

    /** Values of fixed width by field; null for other values. */
    private final @Nullable MemorySegment[] fixed;

    /** The width of the values in bytes; 0 for other values. */
    private final long[] widths;

    /** The bytes that {@link #encodeWithoutKey} left out of the row. */
    private long leftOut;

    /** One reader per field: neighbouring values are decompressed once. */
    private final TextReader[] texts;

    /** Copies all fields. */
    RowCopy(DocumentType type) {
        this(type, _ -> false);
    }

    /**
     * @param type of all rows
     * @param removed whether the values of a field are left out
     */
    RowCopy(DocumentType type, Predicate<String> removed) {
        this.fingerprint = type.fingerprint();
        this.removed = new boolean[type.fields().size()];
        for (int field = 0; field < this.removed.length; field++) {
            this.removed[field] = removed.test(type.fields().get(field).name());
        }
        this.columns = new Column[type.fields().size()];
        this.fixed = new MemorySegment[columns.length];
        this.widths = new long[columns.length];
        this.texts = new TextReader[columns.length];
        Arrays.setAll(texts, _ -> new TextReader());
    }

    /**
     * Returns a row in the format of {@link org.crabro.protocol.encoding.RowEncoding}; valid until
     * the next call.
     *
     * @throws IllegalArgumentException if the block is of another type
     */
    MemorySegment encode(EncodedBlock block, int row) {
        key.set(block.keys(), row);
        return encode(block, row, key);
    }

    /**
     * Returns a row in the format of {@link org.crabro.protocol.encoding.RowEncoding}; valid until
     * the next call.
     *
     * @param rowKey of the row
     */
    MemorySegment encode(EncodedBlock block, int row, RowKeyBuffer rowKey) {
        begin(block, row, rowKey);
        for (int field = 0; field < columns.length; field++) {
            Column column = columns[field];
            if (column != null && column.presence().has(row)) {
                out.beginField(field);
                values.put(column, row, texts[field]);
            }
        }
        return out.row();
    }

    /**
     * Returns a row without its values of fixed width, which {@link #fixed} returns; valid until
     * the next call.
     *
     * @param rowKey of the row
     */
    public MemorySegment encodeWithoutKey(EncodedBlock block, int row, RowKeyBuffer rowKey) {
        begin(block, row, rowKey);
        leftOut = 0;
        for (int field = 0; field < columns.length; field++) {
            Column column = columns[field];
            if (column != null && column.presence().has(row)) {
                if (widths[field] > 0) {
                    leftOut += Short.BYTES + widths[field];
                } else {
                    out.beginField(field);
                    values.put(column, row, texts[field]);
                }
            }
        }
        return out.row();
    }

    /** Returns the number of bytes that were left out of the last row. */
    public long leftOut() {
        return leftOut;
    }

    /**
     * Returns the values of a field in the block of the last row, or null if they are not of fixed
     * width, or the row has none.
     */
    @Nullable MemorySegment fixed(int field, int row) {
        MemorySegment values = fixed[field];
        Column column = columns[field];
        return values != null && column != null && column.presence().has(row) ? values : null;
    }

    /** Returns the width of the values of {@link #fixed}, in bytes. */
    long width(int field) {
        return widths[field];
    }

    private void begin(EncodedBlock block, int row, RowKeyBuffer rowKey) {
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
    }

    private void open(EncodedBlock block) {
        if (block.fingerprint() != fingerprint) {
            throw new IllegalArgumentException(
                    "a block of type %016x, expected %016x"
                            .formatted(block.fingerprint(), fingerprint));
        }
        for (int field = 0; field < columns.length; field++) {
            Column column = removed[field] ? null : block.column(field);
            columns[field] = column;
            fixed[field] = null;
            widths[field] = 0;
            switch (column) {
                case Column.Numbers numbers -> {
                    fixed[field] = numbers.values();
                    widths[field] = ValueCopy.width(numbers.kind());
                }
                case Column.Booleans booleans -> {
                    fixed[field] = booleans.values();
                    widths[field] = Byte.BYTES;
                }
                case Column.DenseTensors tensors -> {
                    fixed[field] = tensors.cells();
                    widths[field] = tensors.width();
                }
                case Column.Texts _, Column.Nested _ -> {
                    // Values of variable length.
                }
                case null -> {
                    // No row of the block has a value, or the field was removed.
                }
            }
        }
        hasTombstones = block.hasTombstones();
        last = block;
    }
}
