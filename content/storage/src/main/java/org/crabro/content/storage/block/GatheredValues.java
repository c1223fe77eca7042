package org.crabro.content.storage.block;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.ColumnReader;
import org.crabro.content.storage.block.column.Presence;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.content.storage.block.column.TextStorage;
import org.crabro.content.storage.block.column.ValuesWriter;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.RowBits;
import org.crabro.document.FieldType;
import org.crabro.protocol.encoding.RowBuffer;

/**
 * Collects values of rows of other blocks, of any one type, and makes a column of them. Reused for
 * the next column. For one thread.
 */
public final class GatheredValues {
    private final FieldType type;
    private final ValuesWriter values;
    private final RowBits present = new RowBits();
    private final RowBuffer encoded = new RowBuffer();
    private final ValueCopy copy = new ValueCopy(encoded);
    private final TextReader texts = new TextReader();
    private final BlockBytes written = new BlockBytes(0);
    private long bytes;

    /** Makes columns of values of {@code type}. */
    public GatheredValues(FieldType type) {
        this.type = type;
        this.values = BlockWriter.values(type, TextStorage.RAW);
    }

    /** Removes all values. */
    public void clear() {
        values.clear();
        present.clear();
        bytes = 0;
    }

    /**
     * Adds the value of a row.
     *
     * @param row after the rows that were added before
     * @param source contains the value, and is of the type of this
     * @param sourceRow has a value
     */
    public void add(int row, Column source, int sourceRow) {
        encoded.begin(0, 0, false, MemorySegment.NULL, 0, 0);
        long start = encoded.row().byteSize();
        copy.put(source, sourceRow, texts);
        MemorySegment value = encoded.row();
        bytes += value.byteSize() - start;
        values.fillTo(row);
        values.add(value, start);
        present.set(row);
    }

    /** Returns the size of the values that were added, in bytes. */
    public long byteSize() {
        return bytes;
    }

    /**
     * Returns the column; empty if no value was added. It is valid until the next one is made.
     *
     * @param rows the number of rows of the column
     * @param memory returns memory of at least the given size, aligned to 8 bytes
     */
    public Optional<Column> column(int rows, Memory memory) {
        if (present.count() == 0) {
            return Optional.empty();
        }
        values.fillTo(rows);
        values.prepare();
        written.clear();
        values.writeTo(written);
        int size = written.position();
        if (present.count() < rows) {
            present.writeTo(written, rows);
        }
        MemorySegment all = memory.take(written.position());
        all.copyFrom(MemorySegment.ofBuffer(written.written()));
        Presence presence =
                present.count() < rows
                        ? new Presence.Some(all.asSlice(size, BlockLayout.bitmapSize(rows)))
                        : new Presence.Every();
        return Optional.of(
                new ColumnReader(all, BlockOrigin.memory())
                        .column(type, values.encoding(), 0, size, rows, presence));
    }

    /** Supplies the memory of a column. */
    @FunctionalInterface
    public interface Memory {
        /** Returns memory of exactly {@code size} bytes, which the next call may return again. */
        MemorySegment take(long size);
    }
}
