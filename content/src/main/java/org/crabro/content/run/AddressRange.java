package org.crabro.content.run;

/**
 * Rows of one type in a run that lie one behind another.
 *
 * @param from the address of the first
 * @param to the address behind the last: of the last one's block, and one more than its row
 */
record AddressRange(long from, long to) {
    static final AddressRange NONE = new AddressRange(0, 0);

    boolean isEmpty() {
        return from == to;
    }

    int firstBlock() {
        return RunLayout.block(from);
    }

    int lastBlock() {
        return RunLayout.block(to);
    }

    /** Returns the first row of a block from {@link #firstBlock} to {@link #lastBlock}. */
    int firstRow(int block) {
        return block == firstBlock() ? RunLayout.row(from) : 0;
    }

    /**
     * Returns the row behind the last of such a block.
     *
     * @param rowCount of the block
     */
    int endRow(int block, int rowCount) {
        return block == lastBlock() ? RunLayout.row(to) : rowCount;
    }
}
