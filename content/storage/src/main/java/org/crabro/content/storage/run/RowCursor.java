package org.crabro.content.storage.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.key.GroupColumn;
import org.crabro.content.storage.block.key.KeyArea;
import org.crabro.content.storage.block.key.KeyBounds;
import org.crabro.content.storage.block.key.KeyColumn;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.block.key.RowRange;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.document.DocumentId;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over the rows of one type in one run, or in one block in memory, in key order. It visits
 * one block after another, and in each block one range of rows after another. Of an unopened block
 * only the first key is known, which may be before the area. For one thread.
 *
 * {@snippet :
 * while (!cursor.isAtEnd()) {
 *     if (!cursor.isOpen()) {
 *         cursor.open();
 *         continue;
 *     }
 *     show(cursor.block(), cursor.row(), cursor.end());
 *     cursor.advance(cursor.end());
 * }
 * }
 */
public abstract sealed class RowCursor permits RunCursor, BlockCursor {
    private static final int[] NO_ROWS = {};

    private final KeyArea area;
    private final Optional<RowKey> after;
    private final byte[] type;

    // The next row, or the first row of the next block.
    private @Nullable KeyColumn keys;
    private int row;

    // The open block.
    private @Nullable EncodedBlock block;

    /** The start and end of each range, one after another, and the index of the current range. */
    private int[] ranges = NO_ROWS;

    private int range;

    RowCursor(String documentType, KeyArea area, Optional<RowKey> after) {
        this.area = area;
        this.after = after;
        this.type = documentType.getBytes(UTF_8);
    }

    /**
     * Returns a cursor over the rows of a block in memory, without the rows that {@code gone}
     * accepts.
     */
    public static RowCursor of(
            EncodedBlock block, KeyArea area, Optional<RowKey> after, IntPredicate gone) {
        return new BlockCursor(block, area, after, gone);
    }

    final KeyArea area() {
        return area;
    }

    final Optional<RowKey> after() {
        return after;
    }

    final byte[] type() {
        return type;
    }

    /** Returns whether there are no more rows. */
    public final boolean isAtEnd() {
        return keys == null;
    }

    /** Returns whether the block of the next row is open. */
    public final boolean isOpen() {
        return block != null;
    }

    /**
     * Opens the next block, and moves to its first row in the area. If there is none, moves to the
     * next block.
     *
     * @throws CorruptRunException if it cannot be read
     */
    public abstract void open();

    /** Returns the open block. */
    public final EncodedBlock block() {
        if (block == null) {
            throw new IllegalStateException("no block is open");
        }
        return block;
    }

    /** Returns the next row. */
    public final int row() {
        return row;
    }

    /** Returns the end of the rows from {@link #row()} on that are in the area, exclusive. */
    public final int end() {
        return ranges[2 * range + 1];
    }

    /** Returns whether a row of the open block is replaced by a newer one, or removed. */
    public abstract boolean isGone(int ofBlock);

    /** Returns whether this is a cursor over a run, and not over a block in memory. */
    public abstract boolean isOfRun();

    /**
     * Returns the last document before the next of {@code bound} in a skipped block; empty if
     * unknown. All documents up to it are done.
     */
    public abstract Optional<DocumentId> passedBefore(RowCursor bound);

    /** Moves to a row of the current range, or to its end. */
    public final void advance(int to) {
        row = to;
        if (row == end()) {
            range++;
            if (2 * range == ranges.length) {
                closeBlock();
            } else {
                row = ranges[2 * range];
            }
        }
    }

    /** Leaves the open block and moves to the next one. */
    public final void closeBlock() {
        block = null;
        ranges = NO_ROWS;
        keys = null;
        goOn();
    }

    /** Moves to the first key of the next block, if there is one. */
    abstract void goOn();

    /** Moves to the block whose first key is at {@code index} of {@code first}. */
    final void head(KeyColumn first, int index) {
        keys = first;
        row = index;
    }

    /** Opens a block for the rows from {@code from} to {@code to}, exclusive. */
    final void enter(EncodedBlock opened, int from, int to) {
        KeyColumn column = opened.keys();
        RowRange inArea = rowsIn(column.groups());
        int first = Math.max(from, inArea.from());
        int last = Math.min(to, inArea.to());
        if (after.isPresent()) {
            first = Math.max(first, firstBehind(column, after.get(), first, Math.max(first, last)));
        }
        ranges = area.isOfSomeDocuments() ? ranges(column, first, last) : range(first, last);
        if (ranges.length == 0) {
            closeBlock();
            return;
        }
        block = opened;
        keys = column;
        range = 0;
        row = ranges[0];
    }

    private static int[] range(int from, int to) {
        return from < to ? new int[] {from, to} : NO_ROWS;
    }

    private RowRange rowsIn(GroupColumn groups) {
        if (area.group().isPresent()) {
            return groups.rowsIn(KeyBounds.of(area));
        }
        int to =
                area.placeTo() == -1
                        ? groups.firstRow(groups.count())
                        : groups.firstNotBelow(area.placeTo() + 1);
        return new RowRange(groups.firstNotBelow(area.placeFrom()), to);
    }

    /** Returns the rows of each group whose documents are in the area. */
    private int[] ranges(KeyColumn column, int from, int to) {
        GroupColumn groups = column.groups();
        int[] ranges = new int[8];
        int count = 0;
        int at = from;
        while (at < to) {
            int end = Math.min(to, groups.firstRow(groups.groupOf(at) + 1));
            RowRange rows = ofDocuments(column, at, end);
            if (!rows.isEmpty()) {
                if (count == ranges.length) {
                    ranges = Arrays.copyOf(ranges, 2 * count);
                }
                ranges[count++] = rows.from();
                ranges[count++] = rows.to();
            }
            at = end;
        }
        return Arrays.copyOf(ranges, count);
    }

    /** Returns the rows of one group whose documents are in the area. */
    final RowRange ofDocuments(KeyColumn column, int from, int to) {
        int first = firstNotBelow(column, area.documentFrom(), from, to);
        int last =
                area.documentTo() == -1
                        ? to
                        : firstNotBelow(column, area.documentTo() + 1, first, to);
        return new RowRange(first, last);
    }

    private static int firstNotBelow(KeyColumn column, long document, int from, int to) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(column.document(middle), document) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns the first row from {@code from} to {@code to} whose key is after {@code key}. */
    final int firstBehind(KeyColumn column, RowKey key, int from, int to) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compare(column, middle, key) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int compare(KeyColumn column, int index, RowKey key) {
        int byGroup =
                column.compareGroup(index, key.place(), key.text(), key.groupFrom(), key.groupTo());
        if (byGroup != 0) {
            return byGroup;
        }
        int byType =
                Arrays.compareUnsigned(
                        type, 0, type.length, key.text(), key.typeFrom(), key.groupFrom() - 1);
        return byType != 0 ? byType : column.compare(index, key);
    }

    /** Compares the next keys of both cursors, also of different types. */
    public final int compareKeys(RowCursor that) {
        KeyColumn mine = keys();
        KeyColumn other = that.keys();
        if (Arrays.equals(type, that.type)) {
            return mine.compare(row, other, that.row);
        }
        GroupColumn otherGroups = that.keys().groups();
        int byGroup =
                mine.groups()
                        .compare(
                                mine.groups().groupOf(row),
                                otherGroups,
                                otherGroups.groupOf(that.row));
        return byGroup != 0 ? byGroup : Arrays.compareUnsigned(type, that.type);
    }

    private KeyColumn keys() {
        if (keys == null) {
            throw new IllegalStateException("there are no more rows");
        }
        return keys;
    }

    /**
     * Returns the first row of the current range whose key is not before the next key of {@code
     * that}, or the end of the range.
     */
    public final int firstNotBefore(RowCursor that) {
        return firstNotBefore(keys(), row, end(), that);
    }

    /**
     * Returns the first row from {@code from} to {@code to} whose key is not before the next key of
     * {@code that}.
     */
    final int firstNotBefore(KeyColumn mine, int from, int to, RowCursor that) {
        KeyColumn other = that.keys();
        if (Arrays.equals(type, that.type)) {
            return Math.min(to, mine.firstNotBefore(from, other, that.row));
        }
        GroupColumn groups = mine.groups();
        int otherGroup = other.groups().groupOf(that.row);
        int group = groups.firstNotBefore(groups.groupOf(from), other.groups(), otherGroup);
        boolean isSame =
                group < groups.count() && groups.compare(group, other.groups(), otherGroup) == 0;
        boolean isFirst = Arrays.compareUnsigned(type, that.type) < 0;
        return Math.clamp(groups.firstRow(isSame && isFirst ? group + 1 : group), from, to);
    }
}
