package org.crabro.content.storage.block.key;

import static org.crabro.content.storage.layout.BlockLayout.INT;
import static org.crabro.content.storage.layout.BlockLayout.LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.crabro.content.storage.layout.KeyLayout;
import org.jspecify.annotations.Nullable;

/**
 * A view of the keys of one document type in ascending order: of a block's rows, or the first keys
 * of a run's blocks. The part that rows of a group share is stored once, in {@link GroupColumn}.
 * Keys are compared in place; nothing is allocated.
 */
public final class KeyColumn {

    private final GroupColumn groups;
    private final MemorySegment bytes;
    private final int rows;
    private final int codeWidth;
    private final int startWidth;
    private final long starts;
    private final long tails;
    private final long documents;
    // Computed at first use, by any thread.
    private volatile byte @Nullable [] start;

    /**
     * @param bytes the part of each row, in the layout of {@link KeyLayout}; checked by {@link
     *     #problem}, or written by this process
     */
    public KeyColumn(GroupColumn groups, MemorySegment bytes, int rows) {
        this.groups = groups;
        this.bytes = bytes;
        this.rows = rows;
        this.codeWidth = bytes.get(ValueLayout.JAVA_BYTE, KeyLayout.CODE_WIDTH);
        this.startWidth = bytes.get(ValueLayout.JAVA_BYTE, KeyLayout.START_WIDTH);
        this.starts = KeyLayout.CODES + (long) codeWidth * rows;
        this.tails = starts + startWidth * (rows + 1L);
        this.documents = tails + bytes.get(INT, KeyLayout.TAIL_BYTES);
    }

    /**
     * Returns the error in a column; empty if all offsets that are read for the rows from {@code
     * from} to {@code to}, exclusive, are inside.
     *
     * @param groups checked
     * @param bytes may continue after the column
     */
    public static Optional<String> problem(
            GroupColumn groups, MemorySegment bytes, int rows, int from, int to) {
        if (bytes.byteSize() < KeyLayout.CODES) {
            return Optional.of("keys of %d bytes".formatted(bytes.byteSize()));
        }
        int codeWidth = bytes.get(ValueLayout.JAVA_BYTE, KeyLayout.CODE_WIDTH);
        int startWidth = bytes.get(ValueLayout.JAVA_BYTE, KeyLayout.START_WIDTH);
        boolean hasCodes = codeWidth == 0 || codeWidth == 1 || codeWidth == 2 || codeWidth == 4;
        if (!hasCodes || (startWidth != 2 && startWidth != 4)) {
            return Optional.of("keys with widths %d and %d".formatted(codeWidth, startWidth));
        }
        int tailBytes = bytes.get(INT, KeyLayout.TAIL_BYTES);
        long needed = KeyLayout.CODES + (8L + codeWidth) * rows + startWidth * (rows + 1L);
        if (tailBytes < 0 || needed + tailBytes > bytes.byteSize()) {
            return Optional.of("keys that exceed %d bytes".formatted(bytes.byteSize()));
        }
        return new KeyColumn(groups, bytes, rows).problemOfRows(from, to, tailBytes);
    }

    private Optional<String> problemOfRows(int from, int to, int tailBytes) {
        int before = 0;
        for (int row = from; row <= to; row++) {
            int start = KeyLayout.number(bytes, starts, startWidth, row);
            if (start < before || start > tailBytes) {
                return Optional.of("the id of row %d at %d".formatted(row, start));
            }
            before = start;
        }
        for (int row = from; row < to && codeWidth > 0; row++) {
            if (Integer.compareUnsigned(head(row), groups.headCount()) >= 0) {
                return Optional.of("head %d of row %d".formatted(head(row), row));
            }
        }
        return Optional.empty();
    }

    /** Returns the size of the parts of the rows, in bytes. */
    public long size() {
        return documents + 8L * rows;
    }

    public int rows() {
        return rows;
    }

    /** Returns a copy in its own memory. */
    public KeyColumn copy() {
        return new KeyColumn(new GroupColumn(copy(groups.bytes()), rows), copy(bytes), rows);
    }

    private static MemorySegment copy(MemorySegment bytes) {
        return MemorySegment.ofArray(bytes.toArray(ValueLayout.JAVA_BYTE));
    }

    public GroupColumn groups() {
        return groups;
    }

    /** Returns the parts of the rows, without a copy. */
    MemorySegment bytes() {
        return bytes;
    }

    /** Returns the first part of the key of {@code row}. */
    public long place(int row) {
        return groups.place(groups.groupOf(row));
    }

    public long document(int row) {
        return bytes.get(LONG, documents + 8L * row);
    }

    /** Returns the number of the head of the id of {@code row}. */
    public int head(int row) {
        return KeyLayout.number(bytes, KeyLayout.CODES, codeWidth, row);
    }

    private long tailFrom(int row) {
        return tails + KeyLayout.number(bytes, starts, startWidth, row);
    }

    private long tailTo(int row) {
        return tailFrom(row + 1);
    }

    /** Returns whether the id of {@code row} names a group or a number. */
    public boolean isInGroup(int row) {
        return groupLength(row) > 0;
    }

    /** Returns the start of the group in ids with a head. */
    int groupFrom(int head) {
        return (int) (groups.headTo(head) - groups.headFrom(head));
    }

    /** Returns the start of the tail in ids of a group with a head. */
    int tailOffset(int group, int head) {
        return groupFrom(head) + (int) (groups.textTo(group) - groups.textFrom(group)) + 1;
    }

    /** Returns the length of the tail of the id of {@code row}, in bytes. */
    int tailLength(int row) {
        return (int) (tailTo(row) - tailFrom(row));
    }

    /** Returns the length of the group in the id of {@code row}, in bytes. */
    int groupLength(int row) {
        int group = groups.groupOf(row);
        return (int) (groups.textTo(group) - groups.textFrom(group));
    }

    /** Returns the length of the id of {@code row}, in bytes. */
    public int idLength(int row) {
        return tailOffset(groups.groupOf(row), head(row)) + tailLength(row);
    }

    /** Copies the id of {@code row}, in UTF-8, to the start of {@code target}. */
    public void copyId(int row, byte[] target) {
        copyTail(row, target, copyStart(groups.groupOf(row), head(row), target));
    }

    /** Copies the tail of the id of {@code row} to {@code at}. */
    void copyTail(int row, byte[] target, int at) {
        copy(bytes, tailFrom(row), tailTo(row), target, at);
    }

    /** Copies the part of an id before the tail, and returns its length. */
    int copyStart(int group, int head, byte[] target) {
        int at = copy(groups.bytes(), groups.headFrom(head), groups.headTo(head), target, 0);
        at = copy(groups.bytes(), groups.textFrom(group), groups.textTo(group), target, at);
        target[at] = KeyTexts.END;
        return at + 1;
    }

    private static int copy(MemorySegment from, long begin, long end, byte[] target, int at) {
        int length = (int) (end - begin);
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, begin, target, at, length);
        return at + length;
    }

    /** Returns the id of {@code row} as text. */
    public String id(int row) {
        var text = new byte[idLength(row)];
        copyId(row, text);
        return new String(text, StandardCharsets.UTF_8);
    }

    /** Returns whether all ids are known to be equal up to their tails. */
    public boolean isOneStart() {
        return start().length > 0;
    }

    /** Returns the tail of the id of {@code row} as text: its user part. */
    public String tail(int row) {
        var text = new byte[tailLength(row)];
        copyTail(row, text, 0);
        return new String(text, StandardCharsets.UTF_8);
    }

    /** Compares the key of {@code row} with the key of {@code otherRow} of the same type. */
    public int compare(int row, KeyColumn other, int otherRow) {
        int byGroup =
                groups.compare(groups.groupOf(row), other.groups, other.groups.groupOf(otherRow));
        return byGroup != 0 ? byGroup : compareInGroup(row, other, otherRow);
    }

    /** Compares keys of one group. */
    private int compareInGroup(int row, KeyColumn other, int otherRow) {
        int byDocument = Long.compareUnsigned(document(row), other.document(otherRow));
        return byDocument != 0 ? byDocument : compareIds(row, other, otherRow);
    }

    /**
     * Compares only the texts of the ids. If heads differ, or groups with the colon after them,
     * they differ at a byte of both: parts between colons contain none.
     */
    public int compareIds(int row, KeyColumn other, int otherRow) {
        return isAlikeBeforeTails(row, other, otherRow)
                ? compareTails(row, other, otherRow)
                : compareWholeIds(row, other, otherRow);
    }

    /**
     * Returns whether two ids are known to be equal up to their tails. When many hits tie, they
     * usually are rows of one group, and their ids are equal up to the tails.
     */
    private boolean isAlikeBeforeTails(int row, KeyColumn other, int otherRow) {
        if (other == this) {
            return head(row) == head(otherRow) && groups.groupOf(row) == groups.groupOf(otherRow);
        }
        byte[] start = start();
        return start.length > 0 && Arrays.equals(start, other.start());
    }

    /** Returns the common start of all ids up to their tails; empty if they may differ there. */
    private byte[] start() {
        byte[] cached = start;
        if (cached == null) {
            boolean isOne = groups.count() == 1 && groups.headCount() == 1;
            cached = new byte[isOne ? tailOffset(0, 0) : 0];
            if (isOne) {
                copyStart(0, 0, cached);
            }
            start = cached;
        }
        return cached;
    }

    private int compareTails(int row, KeyColumn other, int otherRow) {
        return KeyTexts.compare(
                bytes,
                tailFrom(row),
                tailTo(row),
                other.bytes,
                other.tailFrom(otherRow),
                other.tailTo(otherRow));
    }

    private int compareWholeIds(int row, KeyColumn other, int otherRow) {
        int head = head(row);
        int otherHead = other.head(otherRow);
        int byHead =
                KeyTexts.compare(
                        groups.bytes(),
                        groups.headFrom(head),
                        groups.headTo(head),
                        other.groups.bytes(),
                        other.groups.headFrom(otherHead),
                        other.groups.headTo(otherHead));
        if (byHead != 0) {
            return byHead;
        }
        int group = groups.groupOf(row);
        int otherGroup = other.groups.groupOf(otherRow);
        int byGroup =
                KeyTexts.compareEnded(
                        groups.bytes(),
                        groups.textFrom(group),
                        groups.textTo(group),
                        other.groups.bytes(),
                        other.groups.textFrom(otherGroup),
                        other.groups.textTo(otherGroup));
        return byGroup != 0 ? byGroup : compareTails(row, other, otherRow);
    }

    /** Compares the id's text of {@code row} with another, in UTF-8. */
    public int compareId(int row, byte[] text) {
        int head = head(row);
        int group = groups.groupOf(row);
        long headFrom = groups.headFrom(head);
        int groupFrom = (int) (groups.headTo(head) - headFrom);
        int byHead = compareStart(headFrom, groups.headTo(head), text, 0);
        if (byHead != 0) {
            return byHead;
        }
        long textFrom = groups.textFrom(group);
        int groupTo = groupFrom + (int) (groups.textTo(group) - textFrom);
        int byGroup = compareStart(textFrom, groups.textTo(group), text, groupFrom);
        if (byGroup != 0) {
            return byGroup;
        }
        int byColon = groupTo < text.length ? Byte.compareUnsigned(KeyTexts.END, text[groupTo]) : 1;
        return byColon != 0
                ? byColon
                : KeyTexts.compare(
                        bytes, tailFrom(row), tailTo(row), text, groupTo + 1, text.length);
    }

    /** Compares a part of an id with {@code text} from {@code at} on. */
    private int compareStart(long from, long to, byte[] text, int at) {
        int end = (int) Math.min(text.length, at + (to - from));
        return KeyTexts.compare(groups.bytes(), from, to, text, at, end);
    }

    /** Compares the key of {@code row} with {@code key}, which has the same type. */
    public int compare(int row, RowKey key) {
        int byGroup = compareGroup(row, key.place(), key.text(), key.groupFrom(), key.groupTo());
        return byGroup != 0 ? byGroup : compareInGroup(row, key);
    }

    /** Compares keys of one group. */
    private int compareInGroup(int row, RowKey key) {
        int byDocument = Long.compareUnsigned(document(row), key.document());
        return byDocument != 0 ? byDocument : compareId(row, key.text());
    }

    /**
     * Compares the group of {@code row} with another.
     *
     * @param group contains the third part of an id from {@code from} to {@code to}
     */
    public int compareGroup(int row, long place, byte[] group, int from, int to) {
        return groups.compare(groups.groupOf(row), place, group, from, to);
    }

    /** Returns the first row from {@code from} on whose key is not before {@code key}. */
    public int firstNotBefore(int from, RowKey key) {
        int group = groups.firstNotBefore(key.place(), key.text(), key.groupFrom(), key.groupTo());
        int low = Math.max(from, groups.firstRow(group));
        if (group == groups.count()
                || groups.compare(group, key.place(), key.text(), key.groupFrom(), key.groupTo())
                        != 0) {
            return low;
        }
        int high = Math.max(low, groups.firstRow(group + 1));
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compareInGroup(middle, key) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * Returns the first row from {@code from} on whose key is not before that of {@code otherRow}.
     * Gallops: steps double from {@code from} on. A merge that takes most rows makes one comparison
     * per row, a merge that takes few makes a logarithmic number.
     */
    public int firstNotBefore(int from, KeyColumn other, int otherRow) {
        if (from == rows) {
            return from;
        }
        int otherGroup = other.groups.groupOf(otherRow);
        int group = groups.firstNotBefore(groups.groupOf(from), other.groups, otherGroup);
        int low = Math.max(from, groups.firstRow(group));
        if (group == groups.count() || groups.compare(group, other.groups, otherGroup) != 0) {
            return low;
        }
        int end = groups.firstRow(group + 1);
        int probe = low;
        int step = 1;
        while (probe < end && compareInGroup(probe, other, otherRow) < 0) {
            low = probe + 1;
            probe += step;
            step <<= 1;
        }
        int high = Math.min(probe, end);
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compareInGroup(middle, other, otherRow) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns whether the column contains the key of {@code otherRow}, of the same type. */
    public boolean has(KeyColumn other, int otherRow) {
        int row = firstNotBefore(0, other, otherRow);
        return row < rows && compare(row, other, otherRow) == 0;
    }

    /** Returns the first row whose place is not below {@code place}. */
    public int firstNotBelow(long place) {
        return groups.firstNotBelow(place);
    }
}
