package org.crabro.content.storage.dead;

import java.util.BitSet;
import java.util.List;
import org.crabro.content.storage.layout.AddressRange;
import org.crabro.content.storage.layout.RunLayout;

/** The dead rows of a whole run, one bit per row. Rows are only added. For one thread. */
public final class RunDeadRows {
    private final long[] firstRows;
    private final BitSet rows = new BitSet();

    /**
     * @param sections the blocks of the run, by document type
     */
    public RunDeadRows(List<? extends BlockIndex> sections) {
        int blocks = sections.stream().mapToInt(BlockIndex::blockCount).sum();
        firstRows = new long[blocks + 1];
        int block = 0;
        for (BlockIndex section : sections) {
            for (int i = 0; i < section.blockCount(); i++) {
                firstRows[block + 1] = firstRows[block] + section.rowCount(i);
                block++;
            }
        }
    }

    /** Marks the row at {@code address}; returns whether the run has such a row. */
    public boolean add(long address) {
        int block = RunLayout.block(address);
        int row = RunLayout.row(address);
        if (block < 0
                || block >= firstRows.length - 1
                || row < 0
                || row >= firstRows[block + 1] - firstRows[block]) {
            return false;
        }
        rows.set(index(block, row));
        return true;
    }

    /** Marks rows; returns whether the run has them. */
    public boolean add(AddressRange range) {
        long first = index(range.from());
        long end = index(range.to());
        if (first < 0 || end <= first) {
            return false;
        }
        rows.set(Math.toIntExact(first), Math.toIntExact(end));
        return true;
    }

    /**
     * Returns the index of a row among all rows of the run; the row number may be the end of its
     * block. -1 if there is no such row.
     */
    private long index(long address) {
        int block = RunLayout.block(address);
        int row = RunLayout.row(address);
        boolean isThere =
                block >= 0
                        && block < firstRows.length - 1
                        && row >= 0
                        && row <= firstRows[block + 1] - firstRows[block];
        return isThere ? firstRows[block] + row : -1;
    }

    /** Marks the rows from one address to another, exclusive, both of this run. */
    public void addRange(long from, long to) {
        rows.set(
                index(RunLayout.block(from), RunLayout.row(from)),
                index(RunLayout.block(to), RunLayout.row(to)));
    }

    /** Returns the number of marked rows. */
    public int count() {
        return rows.cardinality();
    }

    /** Returns the number of marked rows of a block from {@code from} to {@code to}, exclusive. */
    public int count(int block, int from, int to) {
        int end = index(block, to);
        int count = 0;
        int at = rows.nextSetBit(index(block, from));
        while (at >= 0 && at < end) {
            int clear = Math.min(end, rows.nextClearBit(at));
            count += clear - at;
            at = rows.nextSetBit(clear);
        }
        return count;
    }

    private int index(int block, int row) {
        return Math.toIntExact(firstRows[block] + row);
    }
}
