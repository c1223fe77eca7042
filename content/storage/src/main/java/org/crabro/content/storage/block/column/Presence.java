package org.crabro.content.storage.block.column;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The rows of a column that have a value. */
public sealed interface Presence {
    /** Returns whether {@code row} has a value. */
    boolean has(int row);

    /** Every row has a value. */
    record Every() implements Presence {
        @Override
        public boolean has(int row) {
            return true;
        }
    }

    /**
     * Each row whose bit is set has a value.
     *
     * @param bits bit {@code row % 8} of byte {@code row / 8}
     */
    record Some(MemorySegment bits) implements Presence {
        @Override
        public boolean has(int row) {
            return (bits.get(ValueLayout.JAVA_BYTE, row >>> 3) >>> (row & 7) & 1) != 0;
        }
    }
}
