package org.crabro.content.storage.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.util.FixedBitSet;

/** The rows of a section in the order of their ids. For one thread. */
public final class RowsById {
    private final NumericDocValues rows;

    /**
     * @param rows the number of the row with the n-th id, at n
     */
    RowsById(NumericDocValues rows) {
        this.rows = rows;
    }

    /**
     * Returns the live rows of a set that have the lowest ids, the lowest id first. To be called
     * once.
     *
     * @param most the most rows to return
     */
    public int[] lowest(RowSet set, LiveRows live, int most) {
        FixedBitSet bits = set.toBits();
        try {
            var lowest = new int[Math.min(most, bits.length())];
            int count = 0;
            for (int i = 0;
                    i < bits.length() && count < lowest.length && rows.advanceExact(i);
                    i++) {
                int row = (int) rows.longValue();
                if (bits.get(row) && live.has(row)) {
                    lowest[count++] = row;
                }
            }
            return Arrays.copyOf(lowest, count);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
