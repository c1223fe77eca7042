package org.crabro.content.storage.block.column;

import java.lang.foreign.MemorySegment;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.ChunkEncoding;
import org.crabro.content.storage.layout.EntryBounds;
import org.crabro.content.storage.layout.RowBits;

/** Numbers, booleans and dense tensors: values of fixed width. */
public final class FixedValuesWriter implements ValuesWriter {
    private final ChunkEncoding encoding;
    private final int width;
    private final BlockBytes values;
    private int count;

    public FixedValuesWriter(ChunkEncoding encoding, int width) {
        this.encoding = encoding;
        this.width = width;
        this.values = new BlockBytes(16 * width);
    }

    @Override
    public long add(MemorySegment encoded, long offset) {
        values.put(encoded, offset, width);
        count++;
        return offset + width;
    }

    @Override
    public void fillTo(int wanted) {
        if (wanted > count) {
            values.putZeros(Math.multiplyExact(wanted - count, width));
            count = wanted;
        }
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public void prepare() {
        // There is only one encoding.
    }

    @Override
    public ChunkEncoding encoding() {
        return encoding;
    }

    @Override
    public long size() {
        return values.position();
    }

    @Override
    public void writeTo(BlockBytes out) {
        out.put(values);
    }

    @Override
    public void clear() {
        values.clear();
        count = 0;
    }

    @Override
    public EntryBounds bounds(RowBits present) {
        return switch (encoding.numbers()) {
            case WHOLE -> wholeBounds(present);
            case REAL -> realBounds(present);
            case NONE -> EntryBounds.NONE;
        };
    }

    private EntryBounds wholeBounds(RowBits present) {
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        for (int i = 0; i < count; i++) {
            if (present.has(i)) {
                long value = whole(i);
                min = Math.min(min, value);
                max = Math.max(max, value);
            }
        }
        return new EntryBounds(min, max);
    }

    private EntryBounds realBounds(RowBits present) {
        double min = Double.POSITIVE_INFINITY;
        double max = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < count; i++) {
            double value = real(i);
            if (!Double.isNaN(value) && present.has(i)) {
                min = Math.min(min, value);
                max = Math.max(max, value);
            }
        }
        return new EntryBounds(Double.doubleToRawLongBits(min), Double.doubleToRawLongBits(max));
    }

    private long whole(int index) {
        return switch (width) {
            case Byte.BYTES -> values.getByte(index);
            case Integer.BYTES -> values.getInt(index * Integer.BYTES);
            default -> values.getLong(index * Long.BYTES);
        };
    }

    private double real(int index) {
        return width == Float.BYTES
                ? Float.intBitsToFloat(values.getInt(index * Float.BYTES))
                : Double.longBitsToDouble(values.getLong(index * Double.BYTES));
    }
}
