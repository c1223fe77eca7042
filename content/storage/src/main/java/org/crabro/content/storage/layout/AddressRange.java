package org.crabro.content.storage.layout;

/**
 * Consecutive rows of one type in a run.
 *
 * @param from the address of the first row
 * @param to the end, exclusive: the block of the last row, and one more than its row
 */
public record AddressRange(long from, long to) {
    public static final AddressRange NONE = new AddressRange(0, 0);

    public boolean isEmpty() {
        return from == to;
    }

    public int firstBlock() {
        return RunLayout.block(from);
    }

    public int lastBlock() {
        return RunLayout.block(to);
    }

    /**
     * Returns the first row of the range in a block from {@link #firstBlock} to {@link #lastBlock}.
     */
    public int firstRow(int block) {
        return block == firstBlock() ? RunLayout.row(from) : 0;
    }

    /**
     * Returns the end of the range in such a block, exclusive.
     *
     * @param rowCount of the block
     */
    public int endRow(int block, int rowCount) {
        return block == lastBlock() ? RunLayout.row(to) : rowCount;
    }
}
