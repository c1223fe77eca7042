package org.crabro.content.merge;

import org.crabro.content.block.EncodedBlock;
import org.crabro.content.block.key.GroupColumn;
import org.crabro.content.block.key.KeyColumn;
import org.crabro.content.block.key.RowKeyBuffer;
import org.crabro.content.dead.DeadRows;
import org.crabro.content.layout.BlockLayout;
import org.crabro.content.run.RunPart;
import org.crabro.content.run.RunSection;

/**
 * Goes over the rows of one type in one run that are to be kept, in key order: those that count, up
 * to a place, without those that younger runs replace.
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
     * @param last the last place to be gone over
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

    /** Goes to the next block that has a row to be kept; there may be none. */
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

    /** Returns the row of {@link #block()} that it is at. */
    int row() {
        return rows[index];
    }

    /** Returns the key of the row, valid until this goes on. */
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

    /** Returns how many rows were gone over, also those that are not kept. */
    long rowsPassed() {
        return rowsPassed;
    }

    long bytesRead() {
        return bytesRead;
    }

    /** Orders by key; the other is at a row of the same type. */
    @Override
    public int compareTo(MergeCursor that) {
        return key.compare(that.key);
    }
}
