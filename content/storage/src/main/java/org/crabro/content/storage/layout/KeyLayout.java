package org.crabro.content.storage.layout;

import static org.crabro.content.storage.layout.BlockLayout.INT;
import static org.crabro.content.storage.layout.BlockLayout.SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The layout of keys: those of a block's rows, in two chunks, or the first keys of a run's blocks,
 * in the index. An id has three parts: {@code id:namespace:type:} is its head, then follow its
 * group, a colon, and its tail.
 *
 * <pre>
 *   groups: stored once for all rows of one place and group; a search for a group reads only these
 *   0        4       8             12           16       17       18      20
 *   +--------+-------+-------------+------------+--------+--------+-------+--------+------+--------+
 *   | groups | heads | bytes of    | bytes of   | width  | width  | 0     | places | rows | starts |
 *   |        |       | group texts | head texts | rows   | starts |       |        |      |        |
 *   +--------+-------+-------------+------------+--------+--------+-------+--------+------+--------+
 *   +-------------+-------------+------------+
 *   | group texts | head starts | head texts |
 *   +-------------+-------------+------------+
 *
 *   keys: stored for each row
 *   0          4       5        6      8
 *   +----------+-------+--------+------+-------+--------+-------+-----------+
 *   | bytes of | width | width  | 0    | heads | starts | tails | documents |
 *   | tails    | heads | starts |      |       |        |       |           |
 *   +----------+-------+--------+------+-------+--------+-------+-----------+
 * </pre>
 *
 * <p>Places are i64 per group. Rows are the first row of each group; they are omitted (width 0) if
 * every group has one row. Starts are relative to the first byte of their texts; there is one more
 * start than texts. If no group has a text, starts have width 0 and are omitted. The heads of rows
 * are numbers of a head; with width 0, all rows have the first head. Documents are i64 per row. A
 * width is 2 or 4 bytes; that of head numbers may also be 1.
 */
public final class KeyLayout {
    private KeyLayout() {}

    public static final int GROUP_COUNT = 0;
    public static final int HEAD_COUNT = 4;
    public static final int GROUP_BYTES = 8;
    public static final int HEAD_BYTES = 12;
    public static final int ROW_WIDTH = 16;
    public static final int TEXT_WIDTH = 17;

    /** The offset of the places. */
    public static final int PLACES = 20;

    public static final int TAIL_BYTES = 0;
    public static final int CODE_WIDTH = 4;
    public static final int START_WIDTH = 5;

    /** The offset of the heads of rows. */
    public static final int CODES = 8;

    /** Returns the width in bytes for numbers up to {@code largest}: 2 or 4. */
    public static int width(int largest) {
        return largest <= 0xffff ? Short.BYTES : Integer.BYTES;
    }

    /**
     * Returns the number at {@code index} of the numbers of {@code width} bytes that start at
     * {@code at}.
     */
    public static int number(MemorySegment bytes, long at, int width, int index) {
        return switch (width) {
            case 0 -> 0;
            case 1 -> Byte.toUnsignedInt(bytes.get(ValueLayout.JAVA_BYTE, at + index));
            case 2 -> Short.toUnsignedInt(bytes.get(SHORT, at + 2L * index));
            default -> bytes.get(INT, at + 4L * index);
        };
    }

    /** Returns whether numbers that begin with 0 never decrease and end with {@code last}. */
    public static boolean areStarts(MemorySegment bytes, long at, int width, int count, int last) {
        int before = 0;
        for (int i = 0; i < count; i++) {
            int start = number(bytes, at, width, i);
            if (start < before || (i == 0 && start != 0)) {
                return false;
            }
            before = start;
        }
        return before == last;
    }
}
