package org.crabro.content.layout;

/**
 * Rows of one type in a run that lie one behind another.
 *
 * @param from the address of the first
 * @param to the address behind the last: of the last one's block, and one more than its row
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

    /** Returns the first row of a block from {@link #firstBlock} to {@link #lastBlock}. */
    public int firstRow(int block) {
        return block == firstBlock() ? RunLayout.row(from) : 0;
    }

    /**
     * Returns the row behind the last of such a block.
     *
     * @param rowCount of the block
     */
    public int endRow(int block, int rowCount) {
        return block == lastBlock() ? RunLayout.row(to) : rowCount;
    }
}
