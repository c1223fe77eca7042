package org.crabro.content.storage.block.key;

import static org.crabro.content.storage.layout.BlockLayout.INT;
import static org.crabro.content.storage.layout.BlockLayout.LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.crabro.content.storage.layout.KeyLayout;

/**
 * A view of the groups of keys of one document type in ascending order: the place and the text that
 * all rows of a group share. A group is found without reading a row. Rows whose ids have no group
 * have an empty text; rows with the same place are adjacent.
 */
public final class GroupColumn {
    private final MemorySegment bytes;
    private final int rows;
    private final int count;
    private final int rowWidth;
    private final int textWidth;
    private final long firstRows;
    private final long textStarts;
    private final long texts;
    private final long headStarts;
    private final long heads;
    // The last requested group; the next request is usually for a neighbour. Threads may write it
    // concurrently: any value is correct.
    private int lastGroup;

    /**
     * @param bytes in the layout of {@link KeyLayout}; checked by {@link #problem}, or written by
     *     this process
     */
    public GroupColumn(MemorySegment bytes, int rows) {
        this.bytes = bytes;
        this.rows = rows;
        this.count = bytes.get(INT, KeyLayout.GROUP_COUNT);
        this.rowWidth = bytes.get(ValueLayout.JAVA_BYTE, KeyLayout.ROW_WIDTH);
        this.textWidth = bytes.get(ValueLayout.JAVA_BYTE, KeyLayout.TEXT_WIDTH);
        this.firstRows = KeyLayout.PLACES + 8L * count;
        this.textStarts = firstRows + (long) rowWidth * count;
        this.texts = textStarts + textWidth * (count + 1L);
        this.headStarts = texts + bytes.get(INT, KeyLayout.GROUP_BYTES);
        this.heads = headStarts + 4 * (headCount() + 1L);
    }

    /**
     * Returns the error in a column; empty if all offsets that are read are inside.
     *
     * @param bytes may continue after the column
     */
    public static Optional<String> problem(MemorySegment bytes, int rows) {
        if (bytes.byteSize() < KeyLayout.PLACES) {
            return Optional.of("groups of %d bytes".formatted(bytes.byteSize()));
        }
        int count = bytes.get(INT, KeyLayout.GROUP_COUNT);
        int heads = bytes.get(INT, KeyLayout.HEAD_COUNT);
        int groupBytes = bytes.get(INT, KeyLayout.GROUP_BYTES);
        int headBytes = bytes.get(INT, KeyLayout.HEAD_BYTES);
        if (count < 1 || count > rows || heads < 1 || heads > rows) {
            return Optional.of("%d groups and %d heads of %d rows".formatted(count, heads, rows));
        }
        int rowWidth = bytes.get(ValueLayout.JAVA_BYTE, KeyLayout.ROW_WIDTH);
        int textWidth = bytes.get(ValueLayout.JAVA_BYTE, KeyLayout.TEXT_WIDTH);
        boolean hasRows = rowWidth == 2 || rowWidth == 4 || (rowWidth == 0 && count == rows);
        boolean hasTexts = textWidth == 2 || textWidth == 4 || (textWidth == 0 && groupBytes == 0);
        if (!hasRows || !hasTexts) {
            return Optional.of("groups with widths %d and %d".formatted(rowWidth, textWidth));
        }
        long needed =
                KeyLayout.PLACES
                        + (8L + rowWidth) * count
                        + textWidth * (count + 1L)
                        + 4 * (heads + 1L);
        if (groupBytes < 0 || headBytes < 0 || needed + groupBytes + headBytes > bytes.byteSize()) {
            return Optional.of("groups that exceed %d bytes".formatted(bytes.byteSize()));
        }
        return new GroupColumn(bytes, rows).problemOfNumbers(groupBytes, headBytes);
    }

    private Optional<String> problemOfNumbers(int groupBytes, int headBytes) {
        for (int group = 0; group < count; group++) {
            if (firstRow(group) >= firstRow(group + 1) || (group == 0 && firstRow(0) != 0)) {
                return Optional.of("group %d from row %d".formatted(group, firstRow(group)));
            }
        }
        if (!KeyLayout.areStarts(bytes, textStarts, textWidth, count + 1, groupBytes)
                || !KeyLayout.areStarts(bytes, headStarts, 4, headCount() + 1, headBytes)) {
            return Optional.of("texts that are not consecutive");
        }
        return Optional.empty();
    }

    /** Returns the size of the column in bytes. */
    public long size() {
        return heads + bytes.get(INT, KeyLayout.HEAD_BYTES);
    }

    public int count() {
        return count;
    }

    int headCount() {
        return bytes.get(INT, KeyLayout.HEAD_COUNT);
    }

    /** Returns the bytes of the column, without a copy. */
    public MemorySegment bytes() {
        return bytes;
    }

    /** Returns the place of a group: the first part of the keys of its rows. */
    public long place(int group) {
        return bytes.get(LONG, KeyLayout.PLACES + 8L * group);
    }

    /**
     * Returns the first row of a group; for the number after the last group, the number of rows.
     */
    public int firstRow(int group) {
        if (group == count) {
            return rows;
        }
        return rowWidth == 0 ? group : KeyLayout.number(bytes, firstRows, rowWidth, group);
    }

    /** Returns the start of the text of a group in {@link #bytes()}. */
    long textFrom(int group) {
        return texts + KeyLayout.number(bytes, textStarts, textWidth, group);
    }

    /** Returns the end of the text of a group in {@link #bytes()}. */
    long textTo(int group) {
        return textFrom(group + 1);
    }

    /** Returns the start of a head of ids in {@link #bytes()}. */
    long headFrom(int head) {
        return heads + bytes.get(INT, headStarts + 4L * head);
    }

    /** Returns the end of a head of ids in {@link #bytes()}. */
    long headTo(int head) {
        return headFrom(head + 1);
    }

    /** Returns the group of a row. */
    public int groupOf(int row) {
        if (rowWidth == 0) {
            return row;
        }
        int near = lastGroup;
        for (int group = near; group < Math.min(near + 2, count); group++) {
            if (firstRow(group) <= row && row < firstRow(group + 1)) {
                lastGroup = group;
                return group;
            }
        }
        int low = 0;
        int high = count;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (firstRow(middle) <= row) {
                low = middle;
            } else {
                high = middle;
            }
        }
        lastGroup = low;
        return low;
    }

    /**
     * Compares a group with another.
     *
     * @param text contains the third part of an id from {@code from} to {@code to}
     */
    int compare(int group, long place, byte[] text, int from, int to) {
        int byPlace = Long.compareUnsigned(place(group), place);
        return byPlace != 0
                ? byPlace
                : KeyTexts.compare(bytes, textFrom(group), textTo(group), text, from, to);
    }

    /** Compares a group with one of another column. */
    public int compare(int group, GroupColumn other, int otherGroup) {
        int byPlace = Long.compareUnsigned(place(group), other.place(otherGroup));
        return byPlace != 0
                ? byPlace
                : KeyTexts.compare(
                        bytes,
                        textFrom(group),
                        textTo(group),
                        other.bytes,
                        other.textFrom(otherGroup),
                        other.textTo(otherGroup));
    }

    /** Returns the first group that is not before another. */
    int firstNotBefore(long place, byte[] text, int from, int to) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compare(middle, place, text, from, to) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * Returns the first group from {@code begin} on that is not before one of another column.
     * Gallops: steps double from {@code begin} on.
     */
    public int firstNotBefore(int begin, GroupColumn other, int otherGroup) {
        int low = begin;
        int probe = begin;
        int step = 1;
        while (probe < count && compare(probe, other, otherGroup) < 0) {
            low = probe + 1;
            probe += step;
            step <<= 1;
        }
        int high = Math.min(probe, count);
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compare(middle, other, otherGroup) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns the first row whose place is not below {@code place}. */
    public int firstNotBelow(long place) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(place(middle), place) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return firstRow(low);
    }

    /**
     * Returns the rows of the range {@code bounds}; an empty range at the insertion point if there
     * are none.
     */
    public RowRange rowsIn(KeyBounds bounds) {
        if (bounds.isEverything()) {
            return new RowRange(0, rows);
        }
        int group = bounds.firstNotBefore(this);
        boolean isThere = group < count && bounds.compare(this, group) == 0;
        return new RowRange(firstRow(group), firstRow(isThere ? group + 1 : group));
    }
}
