package org.crabro.content.run;

import static org.crabro.content.run.BlockLayout.INT;
import static org.crabro.content.run.BlockLayout.LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Keys of one document type in rising order, where they lie: of a block's rows, or the first keys
 * of a run's blocks. They are compared in place; nothing is allocated.
 */
final class KeyColumn {
    private final MemorySegment bytes;
    private final int rows;
    private final long documents;
    private final long groups;
    private final long idStarts;
    private final long ids;

    /**
     * @param bytes a key column of {@code rows} rows, laid out as {@link BlockLayout} tells
     */
    KeyColumn(MemorySegment bytes, int rows) {
        this.bytes = bytes;
        this.rows = rows;
        this.documents = BlockLayout.documentsOffset(rows);
        this.groups = BlockLayout.groupsOffset(rows);
        this.idStarts = BlockLayout.idStartsOffset(rows);
        this.ids = BlockLayout.idsOffset(rows);
    }

    /** Returns the bytes of the key column of {@code rows} rows that {@code bytes} begin with. */
    static long size(MemorySegment bytes, int rows) {
        return BlockLayout.idsOffset(rows)
                + bytes.get(INT, BlockLayout.idStartsOffset(rows) + 4L * rows);
    }

    int rows() {
        return rows;
    }

    /** Returns the first part of the key of {@code row}. */
    long place(int row) {
        return bytes.get(LONG, 8L * row);
    }

    long document(int row) {
        return bytes.get(LONG, documents + 8L * row);
    }

    /** Returns where the id's text of {@code row} starts in {@link #bytes()}. */
    long idFrom(int row) {
        return ids + bytes.get(INT, idStarts + 4L * row);
    }

    /** Returns where the id's text of {@code row} ends in {@link #bytes()}. */
    long idTo(int row) {
        return idFrom(row + 1);
    }

    /** Returns whether the id of {@code row} names a group or a number. */
    boolean isInGroup(int row) {
        return groupFrom(row) < groupTo(row);
    }

    long groupFrom(int row) {
        return idFrom(row) + bytes.get(INT, groups + 8L * row);
    }

    long groupTo(int row) {
        return idFrom(row) + bytes.get(INT, groups + 8L * row + 4);
    }

    /** Returns the column as it lies. */
    MemorySegment bytes() {
        return bytes;
    }

    /** Compares the key of {@code row} with the key of {@code otherRow} of the same type. */
    int compare(int row, KeyColumn other, int otherRow) {
        int byPlace = Long.compareUnsigned(place(row), other.place(otherRow));
        if (byPlace != 0) {
            return byPlace;
        }
        int byGroup =
                compareTexts(
                        bytes,
                        groupFrom(row),
                        groupTo(row),
                        other.bytes,
                        other.groupFrom(otherRow),
                        other.groupTo(otherRow));
        if (byGroup != 0) {
            return byGroup;
        }
        int byDocument = Long.compareUnsigned(document(row), other.document(otherRow));
        return byDocument != 0 ? byDocument : compareIds(row, other, otherRow);
    }

    /** Compares the ids' texts alone. */
    int compareIds(int row, KeyColumn other, int otherRow) {
        return compareTexts(
                bytes,
                idFrom(row),
                idTo(row),
                other.bytes,
                other.idFrom(otherRow),
                other.idTo(otherRow));
    }

    /** Compares the id's text of {@code row} with another, in UTF-8. */
    int compareId(int row, byte[] text) {
        return compareTexts(idFrom(row), idTo(row), text, 0, text.length);
    }

    /** Compares the key of {@code row} with {@code key}, which is of the same type. */
    int compare(int row, SortKey key) {
        int byGroup = compareGroup(row, key.place(), key.text(), key.groupFrom(), key.groupTo());
        if (byGroup != 0) {
            return byGroup;
        }
        int byDocument = Long.compareUnsigned(document(row), key.document());
        return byDocument != 0 ? byDocument : compareId(row, key.text());
    }

    /**
     * Compares the group of {@code row} with another.
     *
     * @param group the bytes from {@code from} to {@code to} are the third part of an id
     */
    int compareGroup(int row, long place, byte[] group, int from, int to) {
        int byPlace = Long.compareUnsigned(place(row), place);
        return byPlace != 0 ? byPlace : compareTexts(groupFrom(row), groupTo(row), group, from, to);
    }

    /** Returns the first row from {@code from} on whose key is not before {@code key}. */
    int firstNotBefore(int from, SortKey key) {
        int low = from;
        int high = rows;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compare(middle, key) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * Returns the first row from {@code from} on whose key is not before that of {@code otherRow}.
     * Steps double from {@code from} on: a merge that takes most rows costs one comparison each,
     * one that takes few costs their logarithm.
     */
    int firstNotBefore(int from, KeyColumn other, int otherRow) {
        int low = from;
        int probe = from;
        int step = 1;
        while (probe < rows && compare(probe, other, otherRow) < 0) {
            low = probe + 1;
            probe += step;
            step <<= 1;
        }
        int high = Math.min(probe, rows);
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compare(middle, other, otherRow) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns whether there is the key of {@code otherRow}, of the same type. */
    boolean has(KeyColumn other, int otherRow) {
        int row = firstNotBefore(0, other, otherRow);
        return row < rows && compare(row, other, otherRow) == 0;
    }

    /** Returns the first row whose place is not below {@code place}. */
    int firstNotBelow(long place) {
        int low = 0;
        int high = rows;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(place(middle), place) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns the first row of the range {@code bounds}, or the row it would stand before. */
    int from(KeyBounds bounds) {
        return bounds.isEverything() ? 0 : firstOfGroup(bounds, 0, rows, false);
    }

    /** Returns the row behind the last of the range {@code bounds}. */
    int to(KeyBounds bounds) {
        return bounds.isEverything() ? rows : firstOfGroup(bounds, 0, rows, true);
    }

    /** Returns the first row of {@code place}, or behind the last; no text is looked at. */
    int firstOfPlace(long place, boolean behind) {
        int low = 0;
        int high = rows;
        while (low < high) {
            int middle = (low + high) >>> 1;
            int order = Long.compareUnsigned(place(middle), place);
            if (order < 0 || (behind && order == 0)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * Returns the first row of the range {@code bounds}, or behind the last, that lies from {@code
     * from} to {@code to}.
     */
    int firstOfGroup(KeyBounds bounds, int from, int to, boolean behind) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            int order = bounds.compareGroup(this, middle);
            if (order < 0 || (behind && order == 0)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int compareTexts(long from, long to, byte[] text, int textFrom, int textTo) {
        long length = Math.min(to - from, textTo - textFrom);
        for (int i = 0; i < length; i++) {
            int order =
                    Byte.compareUnsigned(
                            bytes.get(ValueLayout.JAVA_BYTE, from + i), text[textFrom + i]);
            if (order != 0) {
                return order;
            }
        }
        return Long.compare(to - from, textTo - textFrom);
    }

    private static int compareTexts(
            MemorySegment left,
            long leftFrom,
            long leftTo,
            MemorySegment right,
            long rightFrom,
            long rightTo) {
        long at = MemorySegment.mismatch(left, leftFrom, leftTo, right, rightFrom, rightTo);
        if (at < 0) {
            return 0;
        }
        if (at == leftTo - leftFrom || at == rightTo - rightFrom) {
            return Long.compare(leftTo - leftFrom, rightTo - rightFrom);
        }
        return Byte.compareUnsigned(
                left.get(ValueLayout.JAVA_BYTE, leftFrom + at),
                right.get(ValueLayout.JAVA_BYTE, rightFrom + at));
    }
}
