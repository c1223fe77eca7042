package org.crabro.content.storage.block.column;

import static org.crabro.content.storage.layout.BlockLayout.INT;
import static org.crabro.content.storage.layout.BlockLayout.LONG;
import static org.crabro.content.storage.layout.BlockLayout.SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A view of the timestamps of a block's rows: the difference of each to the earliest, in the fewest
 * bytes that hold the largest difference.
 *
 * @param bytes {@code width} per row
 * @param first microseconds since the epoch
 * @param width one of {@link #isWidth}
 */
public record TimestampColumn(MemorySegment bytes, long first, int width) {
    /** Returns whether differences may have {@code width} bytes. */
    public static boolean isWidth(long width) {
        return width == 0 || width == 1 || width == 2 || width == 4 || width == 6 || width == 8;
    }

    /** Returns the width in bytes for {@code difference}, which is unsigned. */
    static int width(long difference) {
        int bytes = (Long.SIZE - Long.numberOfLeadingZeros(difference) + 7) / Byte.SIZE;
        return switch (bytes) {
            case 3 -> 4;
            case 5 -> 6;
            case 7 -> 8;
            default -> bytes;
        };
    }

    /** Returns the timestamp of a row, microseconds since the epoch. */
    public long of(int row) {
        long at = (long) row * width;
        long later =
                switch (width) {
                    case 0 -> 0;
                    case 1 -> Byte.toUnsignedLong(bytes.get(ValueLayout.JAVA_BYTE, at));
                    case 2 -> Short.toUnsignedLong(bytes.get(SHORT, at));
                    case 4 -> Integer.toUnsignedLong(bytes.get(INT, at));
                    case 6 ->
                            Integer.toUnsignedLong(bytes.get(INT, at))
                                    | Short.toUnsignedLong(bytes.get(SHORT, at + 4)) << 32;
                    default -> bytes.get(LONG, at);
                };
        return first + later;
    }
}
