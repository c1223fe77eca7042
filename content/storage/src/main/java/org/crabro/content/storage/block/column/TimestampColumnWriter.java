package org.crabro.content.storage.block.column;

import java.util.Arrays;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.EntryBounds;

/** Collects timestamps and writes them in the format of {@link TimestampColumn}. Reusable. */
public final class TimestampColumnWriter {
    private long[] timestamps = new long[16];
    private int count;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;

    public void add(long timestamp) {
        if (count == timestamps.length) {
            timestamps = Arrays.copyOf(timestamps, 2 * count);
        }
        timestamps[count] = timestamp;
        first = Math.min(first, timestamp);
        last = Math.max(last, timestamp);
        count++;
    }

    public void clear() {
        count = 0;
        first = Long.MAX_VALUE;
        last = Long.MIN_VALUE;
    }

    private int width() {
        return TimestampColumn.width(last - first);
    }

    public long size() {
        return (long) count * width();
    }

    /** Returns the bounds for the directory entry of the column. */
    public EntryBounds bounds() {
        return new EntryBounds(first, last);
    }

    public void writeTo(BlockBytes out) {
        int width = width();
        for (int i = 0; i < count; i++) {
            put(out, timestamps[i] - first, width);
        }
    }

    private static void put(BlockBytes out, long later, int width) {
        switch (width) {
            case 0 -> {
                // All timestamps are equal.
            }
            case 1 -> out.putByte((int) later);
            case 2 -> out.putShort((int) later);
            case 4 -> out.putInt((int) later);
            case 6 -> {
                out.putInt((int) later);
                out.putShort((int) (later >>> 32));
            }
            default -> out.putLong(later);
        }
    }
}
