package org.crabro.content.run;

import java.util.BitSet;

/**
 * Which rows of a chunk about to be written have a value.
 *
 * @param present the rows that have one, of {@code rows}
 */
record ChunkPresence(int rows, BitSet present) {
    /** Every one of {@code rows}. */
    static ChunkPresence every(int rows) {
        var present = new BitSet(rows);
        present.set(0, rows);
        return new ChunkPresence(rows, present);
    }

    boolean isEvery() {
        return present.cardinality() == rows;
    }

    /** Returns the bytes that {@link #writeTo} writes: none where every row has a value. */
    int size() {
        return isEvery() ? 0 : BlockLayout.bitmapSize(rows);
    }

    void writeTo(BlockBytes out) {
        if (isEvery()) {
            return;
        }
        int start = out.position();
        out.putZeros(BlockLayout.bitmapSize(rows));
        for (int row = present.nextSetBit(0); row >= 0; row = present.nextSetBit(row + 1)) {
            out.setBit(start, row);
        }
    }
}
