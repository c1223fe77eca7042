package org.crabro.content.run;

import java.lang.foreign.MemorySegment;

/** Collects the values of one field, row by row, from encoded rows, and writes them as a chunk. */
final class ColumnWriter {
    private final int field;
    private final ValuesWriter values;
    private final RowBits present = new RowBits();
    private int rows;

    /**
     * @param field its index in the type
     */
    ColumnWriter(int field, ValuesWriter values) {
        this.field = field;
        this.values = values;
    }

    /**
     * Takes the value of a row.
     *
     * @param row behind all rows of the block that have a value so far
     * @param encoded a row as {@link org.crabro.protocol.encoding.RowEncoding} tells
     * @param offset of the value in it
     */
    void add(int row, MemorySegment encoded, long offset) {
        values.fillTo(row);
        values.add(encoded, offset);
        present.set(row);
    }

    /**
     * Decides how the values are kept.
     *
     * @param blockRows how many rows the block has
     * @return how many chunks {@link #writeTo} will write: none where no row has a value
     */
    int prepare(int blockRows) {
        rows = blockRows;
        if (present.count() == 0) {
            return 0;
        }
        values.fillTo(rows);
        values.prepare();
        return 1;
    }

    /** Writes the chunks, and begins the next block. Comes behind {@link #prepare}. */
    void writeTo(BlockChunks chunks) {
        if (present.count() == 0) {
            return;
        }
        boolean hasBitmap = present.count() < rows;
        int bitmap = hasBitmap ? BlockLayout.bitmapSize(rows) : 0;
        BlockBytes out = chunks.beginChunk(values.size() + bitmap);
        values.writeTo(out);
        if (hasBitmap) {
            present.writeTo(out, rows);
        }
        chunks.endChunk(values.encoding(), field, hasBitmap, values.bounds(present));
        values.clear();
        present.clear();
    }
}
