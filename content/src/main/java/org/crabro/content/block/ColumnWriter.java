package org.crabro.content.block;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.crabro.content.block.column.ValuesWriter;
import org.crabro.content.layout.BlockBytes;
import org.crabro.content.layout.BlockLayout;
import org.crabro.content.layout.RowBits;

/**
 * Collects the values of one field, row by row, from encoded rows, and writes them as a chunk, with
 * what is made of them before or behind it.
 */
final class ColumnWriter {
    private final int field;
    private final ValuesWriter values;
    private final Optional<DerivedWriter> derived;
    private final RowBits present = new RowBits();
    private int rows;

    /**
     * @param field its index in the type
     * @param derived what is kept of the field besides its values, if anything is
     */
    ColumnWriter(int field, ValuesWriter values, Optional<DerivedWriter> derived) {
        this.field = field;
        this.values = values;
        this.derived = derived;
    }

    /**
     * Takes the value of a row.
     *
     * @param row behind all rows of the block that have a value so far
     * @param encoded a row as {@link org.crabro.protocol.encoding.RowEncoding} tells
     * @param offset of the value in it
     */
    void add(int row, MemorySegment encoded, long offset) {
        addValue(row, encoded, offset);
        if (derived.isPresent()) {
            derived.get().add(row, encoded, offset);
        }
    }

    /**
     * Takes the value of a row that lies in another block.
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
     * Decides how the values are kept.
     *
     * @param blockRows how many rows the block has
     * @param chunks is told of those that {@link #writeTo} will write: none where no row has a
     *     value
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

    /** Writes the chunks, and begins the next block. Comes behind {@link #prepare}. */
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
