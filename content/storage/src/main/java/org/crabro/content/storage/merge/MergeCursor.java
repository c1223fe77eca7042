package org.crabro.content.storage.merge;

import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.key.GroupColumn;
import org.crabro.content.storage.block.key.KeyColumn;
import org.crabro.content.storage.block.key.RowKeyBuffer;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.run.RunPart;
import org.crabro.content.storage.run.RunSection;

/**
 * A cursor over the rows to keep of one type in one run, in key order: valid rows, up to a place,
 * that newer runs do not replace.
 */
final class MergeCursor implements Comparable<MergeCursor> {
    private final RunPart part;
    private final RunSection section;
    private final int sectionIndex;
    private final long last;
    private final int[] rows = new int[BlockLayout.ROWS_MAX];
    private final RowKeyBuffer key = new RowKeyBuffer();
    private EncodedBlock block;
    private KeyColumn keys;
    private int group;
    private int groupEnd;
    private int nextBlock;
    private int count;
    private int index;
    private long rowsPassed;
    private long bytesRead;

    /**
     * @param last the last place of the range
     */
    MergeCursor(RunPart part, int sectionIndex, long last) {
        this.part = part;
        this.section = part.run().sections().get(sectionIndex);
        this.sectionIndex = sectionIndex;
        this.last = last;
        this.nextBlock = part.firstBlock(sectionIndex);
        this.block = section.block(0);
        this.keys = block.keys();
        findBlock();
    }

    /** Moves to the next block with a row to keep, if there is one. */
    private void findBlock() {
        index = 0;
        count = 0;
        while (count == 0 && nextBlock < part.endBlock(sectionIndex) && isInRange(nextBlock)) {
            part.unknown(blockNumber())
                    .ifPresent(reason -> {
                        throw reason;
                    });
            block = section.block(nextBlock);
            int from = part.firstRow(sectionIndex, nextBlock);
            int to = endRow();
            count = part.replaced(blockNumber()).live(from, to, rows);
            rowsPassed += to - from;
            bytesRead += section.byteCount(nextBlock);
            nextBlock++;
        }
        if (count > 0) {
            keys = block.keys();
            group = keys.groups().groupOf(rows[0]);
            groupEnd = keys.groups().firstRow(group + 1);
            key.set(keys, rows[0], group);
        }
    }

    private boolean isInRange(int number) {
        return Long.compareUnsigned(section.firstPlace(number), last) <= 0;
    }

    private int endRow() {
        int end = part.endRow(sectionIndex, nextBlock);
        GroupColumn groups = block.groups();
        return Long.compareUnsigned(groups.place(groups.groupOf(end - 1)), last) <= 0
                ? end
                : Math.min(end, groups.firstNotBelow(last + 1));
    }

    private int blockNumber() {
        return section.firstBlock() + nextBlock;
    }

    boolean hasRow() {
        return index < count;
    }

    RunSection section() {
        return section;
    }

    EncodedBlock block() {
        return block;
    }

    /** Returns the current row of {@link #block()}. */
    int row() {
        return rows[index];
    }

    /** Returns the number of the current row in the section. */
    int sectionRow() {
        return section.firstRow(nextBlock - 1) + rows[index];
    }

    /** Returns the key of the row, valid until the cursor moves. */
    RowKeyBuffer key() {
        return key;
    }

    /** Returns whether the row is a tombstone. */
    boolean isTombstone() {
        DeadRows[] tombstones = part.run().tombstones();
        return tombstones.length > 0 && tombstones[section.firstBlock() + nextBlock - 1].has(row());
    }

    void advance() {
        index++;
        if (index == count) {
            findBlock();
            return;
        }
        while (rows[index] >= groupEnd) {
            group++;
            groupEnd = keys.groups().firstRow(group + 1);
        }
        key.set(keys, rows[index], group);
    }

    /** Returns the number of rows passed, including rows that are not kept. */
    long rowsPassed() {
        return rowsPassed;
    }

    long bytesRead() {
        return bytesRead;
    }

    /** Orders by key; both cursors are at rows of the same type. */
    @Override
    public int compareTo(MergeCursor that) {
        return key.compare(that.key);
    }
}
