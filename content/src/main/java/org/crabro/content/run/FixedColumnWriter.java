package org.crabro.content.run;

import java.lang.foreign.MemorySegment;

/** Numbers, booleans and dense tensors: values of as many bytes each, one behind another. */
final class FixedColumnWriter implements ColumnWriter {
    private final ChunkEncoding encoding;
    private final int field;
    private final int width;
    private final RowBits present = new RowBits();
    private final BlockBytes values;
    private int rows;

    FixedColumnWriter(ChunkEncoding encoding, int field, int width) {
        this.encoding = encoding;
        this.field = field;
        this.width = width;
        this.values = new BlockBytes(16 * width);
    }

    @Override
    public void add(int row, MemorySegment encoded, long offset, long length) {
        assert length == width;
        fillTo(row);
        values.put(encoded, offset, width);
        present.set(row);
    }

    private void fillTo(int row) {
        int missing = Math.multiplyExact(row, width) - values.position();
        if (missing > 0) {
            values.putZeros(missing);
        }
    }

    @Override
    public int prepare(int blockRows) {
        rows = blockRows;
        if (present.count() == 0) {
            return 0;
        }
        fillTo(rows);
        return 1;
    }

    @Override
    public void writeTo(BlockChunks chunks) {
        if (present.count() > 0) {
            boolean hasBitmap = present.count() < rows;
            int bitmap = hasBitmap ? BlockLayout.bitmapSize(rows) : 0;
            BlockBytes out = chunks.beginChunk((long) values.position() + bitmap);
            out.put(values);
            if (hasBitmap) {
                present.writeTo(out, rows);
            }
            writeEntry(chunks, hasBitmap);
        }
        values.clear();
        present.clear();
    }

    private void writeEntry(BlockChunks chunks, boolean hasBitmap) {
        switch (encoding) {
            case INT, LONG, BOOL -> {
                long min = Long.MAX_VALUE;
                long max = Long.MIN_VALUE;
                for (int row = 0; row < rows; row++) {
                    if (!hasBitmap || present.has(row)) {
                        long value = whole(row);
                        min = Math.min(min, value);
                        max = Math.max(max, value);
                    }
                }
                chunks.endChunk(encoding, field, hasBitmap, min, max);
            }
            case FLOAT, DOUBLE -> {
                double min = Double.POSITIVE_INFINITY;
                double max = Double.NEGATIVE_INFINITY;
                for (int row = 0; row < rows; row++) {
                    double value = real(row);
                    if (!Double.isNaN(value) && (!hasBitmap || present.has(row))) {
                        min = Math.min(min, value);
                        max = Math.max(max, value);
                    }
                }
                chunks.endChunk(
                        encoding,
                        field,
                        hasBitmap,
                        Double.doubleToRawLongBits(min),
                        Double.doubleToRawLongBits(max));
            }
            case TENSOR -> chunks.endChunk(encoding, field, hasBitmap);
            case KEYS, TIMESTAMPS, TOMBSTONES, TEXT, TEXT_ARRAY ->
                    throw new IllegalStateException("not of one width: " + encoding);
        }
    }

    private long whole(int row) {
        return switch (width) {
            case Byte.BYTES -> values.getByte(row);
            case Integer.BYTES -> values.getInt(row * Integer.BYTES);
            default -> values.getLong(row * Long.BYTES);
        };
    }

    private double real(int row) {
        return width == Float.BYTES
                ? Float.intBitsToFloat(values.getInt(row * Float.BYTES))
                : Double.longBitsToDouble(values.getLong(row * Double.BYTES));
    }
}
