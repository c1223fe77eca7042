package org.crabro.content.storage.block;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.crabro.content.storage.block.column.ValuesWriter;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.RowBits;

/**
 * Collects the values of one field from encoded rows, and writes them as a chunk. Chunks of derived
 * data are written before or after it.
 */
final class ColumnWriter {
    private final int field;
    private final ValuesWriter values;
    private final Optional<DerivedWriter> derived;
    private final RowBits present = new RowBits();
    private int rows;

    /**
     * @param field its index in the type
     * @param derived the writer of data derived from the field, if any is stored
     */
    ColumnWriter(int field, ValuesWriter values, Optional<DerivedWriter> derived) {
        this.field = field;
        this.values = values;
        this.derived = derived;
    }

    /**
     * Adds the value of a row.
     *
     * @param row after all rows of the block that have a value so far
     * @param encoded a row in the format of {@link org.crabro.protocol.encoding.RowEncoding}
     * @param offset of the value in it
     */
    void add(int row, MemorySegment encoded, long offset) {
        addValue(row, encoded, offset);
        if (derived.isPresent()) {
            derived.get().add(row, encoded, offset);
        }
    }

    /**
     * Adds the value of a row of another block.
     *
     * @param source the same object for all rows of a block
     */
    void copy(int row, MemorySegment encoded, long offset, EncodedBlock source, int sourceRow) {
        addValue(row, encoded, offset);
        if (derived.isPresent()) {
            derived.get().copy(row, encoded, offset, source, sourceRow);
        }
    }

    private void addValue(int row, MemorySegment encoded, long offset) {
        values.fillTo(row);
        values.add(encoded, offset);
        present.set(row);
    }

    /**
     * Chooses the encoding of the values.
     *
     * @param blockRows the number of rows of the block
     * @param chunks receives the lengths of the chunks that {@link #writeTo} will write: none if no
     *     row has a value
     */
    void prepare(int blockRows, BlockChunks chunks) {
        rows = blockRows;
        if (present.count() == 0) {
            return;
        }
        values.fillTo(rows);
        values.prepare();
        derived.filter(DerivedWriter::isBeforeValues)
                .ifPresent(writer -> writer.prepare(rows, chunks));
        chunks.plan(size());
        derived.filter(writer -> !writer.isBeforeValues())
                .ifPresent(writer -> writer.prepare(rows, chunks));
    }

    private boolean hasBitmap() {
        return present.count() < rows;
    }

    private long size() {
        return values.size() + (hasBitmap() ? BlockLayout.bitmapSize(rows) : 0);
    }

    /** Writes the chunks, and begins the next block. Called after {@link #prepare}. */
    void writeTo(BlockChunks chunks) {
        if (present.count() == 0) {
            return;
        }
        derived.filter(DerivedWriter::isBeforeValues).ifPresent(writer -> writer.writeTo(chunks));
        boolean hasBitmap = hasBitmap();
        BlockBytes out = chunks.beginChunk(size());
        values.writeTo(out);
        if (hasBitmap) {
            present.writeTo(out, rows);
        }
        chunks.endChunk(values.encoding(), field, hasBitmap, values.bounds(present));
        values.clear();
        present.clear();
        derived.filter(writer -> !writer.isBeforeValues())
                .ifPresent(writer -> writer.writeTo(chunks));
    }
}
