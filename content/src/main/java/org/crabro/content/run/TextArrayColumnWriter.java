package org.crabro.content.run;

import java.lang.foreign.MemorySegment;

/** Arrays of strings. */
final class TextArrayColumnWriter implements ColumnWriter {
    private final int field;
    private final RowBits present = new RowBits();

    /** The index of a row's first element, for the rows so far. */
    private final BlockBytes firsts = new BlockBytes(64);

    private final TextsWriter texts = new TextsWriter();
    private int rows;

    TextArrayColumnWriter(int field) {
        this.field = field;
    }

    @Override
    public void add(int row, MemorySegment encoded, long offset, long length) {
        fillTo(row + 1);
        texts.addElements(encoded, offset);
        present.set(row);
    }

    private void fillTo(int count) {
        while (firsts.position() < Integer.BYTES * count) {
            firsts.putInt(texts.count());
        }
    }

    @Override
    public int prepare(int blockRows) {
        rows = blockRows;
        if (present.count() == 0) {
            return 0;
        }
        fillTo(rows + 1);
        return 1;
    }

    @Override
    public void writeTo(BlockChunks chunks) {
        if (present.count() > 0) {
            boolean hasBitmap = present.count() < rows;
            int bitmap = hasBitmap ? BlockLayout.bitmapSize(rows) : 0;
            BlockBytes out = chunks.beginChunk((long) firsts.position() + texts.size() + bitmap);
            out.put(firsts);
            texts.writeTo(out);
            if (hasBitmap) {
                present.writeTo(out, rows);
            }
            chunks.endChunk(ChunkEncoding.TEXT_ARRAY, field, hasBitmap);
        }
        firsts.clear();
        texts.clear();
        present.clear();
    }
}
