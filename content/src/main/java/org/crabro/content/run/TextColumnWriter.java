package org.crabro.content.run;

import java.lang.foreign.MemorySegment;

/** Strings. */
final class TextColumnWriter implements ColumnWriter {
    private final int field;
    private final RowBits present = new RowBits();
    private final TextsWriter texts = new TextsWriter();
    private int rows;

    TextColumnWriter(int field) {
        this.field = field;
    }

    @Override
    public void add(int row, MemorySegment encoded, long offset, long length) {
        texts.fillTo(row);
        texts.add(encoded, offset + Integer.BYTES, length - Integer.BYTES);
        present.set(row);
    }

    @Override
    public int prepare(int blockRows) {
        rows = blockRows;
        if (present.count() == 0) {
            return 0;
        }
        texts.fillTo(rows);
        return 1;
    }

    @Override
    public void writeTo(BlockChunks chunks) {
        if (present.count() > 0) {
            boolean hasBitmap = present.count() < rows;
            int bitmap = hasBitmap ? BlockLayout.bitmapSize(rows) : 0;
            BlockBytes out = chunks.beginChunk((long) texts.size() + bitmap);
            texts.writeTo(out);
            if (hasBitmap) {
                present.writeTo(out, rows);
            }
            chunks.endChunk(ChunkEncoding.TEXT, field, hasBitmap);
        }
        texts.clear();
        present.clear();
    }
}
