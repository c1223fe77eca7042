package org.crabro.content.run;

import static org.crabro.content.run.BlockLayout.INT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.crabro.document.DocumentType;
import org.crabro.protocol.encoding.RowBuffer;

/**
 * Puts rows of blocks back into the form in which they were written, byte for byte, in memory that
 * is used again. For one thread.
 */
final class RowCopy {
    private final DocumentType type;
    private final long fingerprint;
    private final RowBuffer out = new RowBuffer();

    /**
     * @param type of all rows
     */
    RowCopy(DocumentType type) {
        this.type = type;
        this.fingerprint = type.fingerprint();
    }

    /**
     * Returns a row as {@link org.crabro.protocol.encoding.RowEncoding} tells; valid until the
     * next.
     *
     * @throws IllegalArgumentException if the block is of another type
     */
    MemorySegment encode(EncodedBlock block, int row) {
        if (block.fingerprint() != fingerprint) {
            throw new IllegalArgumentException(
                    "a block of type %016x, expected %016x"
                            .formatted(block.fingerprint(), fingerprint));
        }
        KeyColumn keys = block.keys();
        out.begin(
                fingerprint,
                block.timestamp(row),
                block.isTombstone(row),
                keys.bytes(),
                keys.idFrom(row),
                keys.idTo(row));
        for (int field = 0; field < type.fields().size(); field++) {
            Column column = block.column(field);
            if (column != null && column.presence().has(row)) {
                out.beginField(field);
                put(column, row);
            }
        }
        return out.row();
    }

    private void put(Column column, int row) {
        switch (column) {
            case Column.Numbers numbers -> {
                int width =
                        switch (numbers.kind()) {
                            case INT, FLOAT -> Integer.BYTES;
                            case LONG, DOUBLE -> Long.BYTES;
                        };
                out.putBytes(numbers.values(), (long) row * width, width);
            }
            case Column.Booleans booleans ->
                    out.putByte(booleans.values().get(ValueLayout.JAVA_BYTE, row));
            case Column.Texts texts -> putText(texts.starts(), texts.bytes(), row);
            case Column.TextArrays arrays -> {
                int from = arrays.firsts().get(INT, 4L * row);
                int to = arrays.firsts().get(INT, 4L * row + 4);
                out.putInt(to - from);
                for (int i = from; i < to; i++) {
                    putText(arrays.starts(), arrays.bytes(), i);
                }
            }
            case Column.DenseTensors tensors -> {
                long width = tensors.width();
                out.putBytes(tensors.cells(), row * width, width);
            }
        }
    }

    private void putText(MemorySegment starts, MemorySegment bytes, int index) {
        int from = starts.get(INT, 4L * index);
        int length = starts.get(INT, 4L * index + 4) - from;
        out.putInt(length);
        out.putBytes(bytes, from, length);
    }
}
