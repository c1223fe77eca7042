package org.crabro.content.layout;

import static org.crabro.content.layout.BlockLayout.INT;
import static org.crabro.content.layout.BlockLayout.SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Where the bytes of keys lie: of a block's rows, in two chunks, or the first keys of a run's
 * blocks, in the index. An id is cut in three: {@code id:namespace:type:} is its head, then comes
 * its group, a colon, and its tail.
 *
 * <pre>
 *   groups: what stands once for all rows of one place and group; a search for a group reads no more
 *   0        4       8             12           16       17       18      20
 *   +--------+-------+-------------+------------+--------+--------+-------+--------+------+--------+
 *   | groups | heads | bytes of    | bytes of   | width  | width  | 0     | places | rows | starts |
 *   |        |       | group texts | head texts | rows   | starts |       |        |      |        |
 *   +--------+-------+-------------+------------+--------+--------+-------+--------+------+--------+
 *   +-------------+-------------+------------+
 *   | group texts | head starts | head texts |
 *   +-------------+-------------+------------+
 *
 *   keys: what each row has for itself
 *   0          4       5        6      8
 *   +----------+-------+--------+------+-------+--------+-------+-----------+
 *   | bytes of | width | width  | 0    | heads | starts | tails | documents |
 *   | tails    | heads | starts |      |       |        |       |           |
 *   +----------+-------+--------+------+-------+--------+-------+-----------+
 * </pre>
 *
 * <p>Places are i64 per group; rows the first row of each group, left out (width 0) where every
 * group has one row. Starts count from the first byte of what they are the starts of; there is one
 * more than there are texts. Where no group has a text, starts have width 0 and are left out. Heads
 * of rows are numbers of a head; with width 0 all have the first. Documents are i64 per row. What
 * has a width has 2 or 4 bytes, a head's number also 1.
 */
public final class KeyLayout {
    private KeyLayout() {}

    public static final int GROUP_COUNT = 0;
    public static final int HEAD_COUNT = 4;
    public static final int GROUP_BYTES = 8;
    public static final int HEAD_BYTES = 12;
    public static final int ROW_WIDTH = 16;
    public static final int TEXT_WIDTH = 17;

    /** Where the places start. */
    public static final int PLACES = 20;

    public static final int TAIL_BYTES = 0;
    public static final int CODE_WIDTH = 4;
    public static final int START_WIDTH = 5;

    /** Where the heads of rows start. */
    public static final int CODES = 8;

    /** Returns how many bytes hold numbers up to {@code largest}: 2 or 4. */
    public static int width(int largest) {
        return largest <= 0xffff ? Short.BYTES : Integer.BYTES;
    }

    /**
     * Returns the number {@code index} of those of {@code width} bytes that start at {@code at}.
     */
    public static int number(MemorySegment bytes, long at, int width, int index) {
        return switch (width) {
            case 0 -> 0;
            case 1 -> Byte.toUnsignedInt(bytes.get(ValueLayout.JAVA_BYTE, at + index));
            case 2 -> Short.toUnsignedInt(bytes.get(SHORT, at + 2L * index));
            default -> bytes.get(INT, at + 4L * index);
        };
    }

    /** Returns whether numbers that begin with 0 do not fall and end with {@code last}. */
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
