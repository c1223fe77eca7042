package org.crabro.content.storage.index;

import java.util.Arrays;
import org.apache.lucene.util.IntroSorter;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.file.CorruptRunException;

/**
 * Puts the rows of a section in the order of the texts of their ids, which decides between equal
 * scores. Rows are stored in another order, by hashes of the ids.
 */
final class IdOrder {
    /** The memory for a row that is sorted: its number and a part of its id. */
    private static final int ROW_BYTES = Integer.BYTES + Long.BYTES;

    private static final int[] NONE = {};

    private IdOrder() {}

    /**
     * Returns the rows in the order of their ids; empty if that takes too much memory.
     *
     * @param bytesMax the most memory to use
     * @throws CorruptRunException if a block is damaged
     */
    static int[] of(SectionRows rows, long bytesMax) {
        int count = rows.rowTotal();
        if ((long) count * ROW_BYTES > bytesMax) {
            return NONE;
        }
        var sorter = new Sorter(rows, count);
        sorter.sort(0, count);
        return sorter.order;
    }

    /** Compares rows by eight bytes of their ids, and by the whole ids if these are equal. */
    private static final class Sorter extends IntroSorter {
        private final EncodedBlock[] blocks;

        /** By block. */
        private final int[] firstRows;

        private final int[] order;

        /** In the same order: the first bytes that are not common to all ids, padded with zeros. */
        private final long[] parts;

        private byte[] id = new byte[256];
        private int pivot;
        private long pivotPart;

        Sorter(SectionRows rows, int count) {
            this.blocks = new EncodedBlock[rows.blockCount()];
            this.firstRows = new int[blocks.length];
            this.order = new int[count];
            this.parts = new long[count];
            int next = 0;
            for (int i = 0; i < blocks.length; i++) {
                blocks[i] = rows.block(i);
                firstRows[i] = next;
                next += rows.rowCount(i);
            }
            int common = commonBytes();
            for (int i = 0; i < blocks.length; i++) {
                for (int row = 0; row < rows.rowCount(i); row++) {
                    int number = firstRows[i] + row;
                    order[number] = number;
                    parts[number] = part(read(blocks[i], row), common);
                }
            }
        }

        /** Returns how many bytes all ids begin with. */
        private int commonBytes() {
            byte[] first = {};
            int common = Integer.MAX_VALUE;
            for (EncodedBlock block : blocks) {
                for (int row = 0; row < block.rowCount(); row++) {
                    int length = read(block, row);
                    if (common == Integer.MAX_VALUE) {
                        first = Arrays.copyOf(id, length);
                    }
                    common = Math.min(common, length);
                    int differs = Arrays.mismatch(first, 0, common, id, 0, common);
                    common = differs < 0 ? common : differs;
                }
            }
            return common;
        }

        /** Copies an id and returns its length. */
        private int read(EncodedBlock block, int row) {
            int length = block.idLength(row);
            if (length > id.length) {
                id = new byte[2 * length];
            }
            block.copyId(row, id);
            return length;
        }

        private long part(int length, int from) {
            long part = 0;
            for (int i = from; i < from + Long.BYTES; i++) {
                part = part << Byte.SIZE | (i < length ? Byte.toUnsignedLong(id[i]) : 0);
            }
            return part;
        }

        @Override
        protected void setPivot(int at) {
            pivot = order[at];
            pivotPart = parts[at];
        }

        @Override
        protected int comparePivot(int at) {
            int byPart = Long.compareUnsigned(pivotPart, parts[at]);
            return byPart != 0 || pivot == order[at] ? byPart : compareIds(pivot, order[at]);
        }

        private int compareIds(int row, int other) {
            int block = block(row);
            int otherBlock = block(other);
            return blocks[block].compareIds(
                    row - firstRows[block], blocks[otherBlock], other - firstRows[otherBlock]);
        }

        private int block(int row) {
            int block = Arrays.binarySearch(firstRows, row);
            return block < 0 ? -block - 2 : block;
        }

        @Override
        protected void swap(int one, int other) {
            int row = order[one];
            order[one] = order[other];
            order[other] = row;
            long part = parts[one];
            parts[one] = parts[other];
            parts[other] = part;
        }
    }
}
