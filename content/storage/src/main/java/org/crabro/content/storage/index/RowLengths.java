package org.crabro.content.storage.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.apache.lucene.index.NumericDocValues;
import org.jspecify.annotations.Nullable;

/** The numbers of words of the rows of a field. For one thread. */
public final class RowLengths {
    private final @Nullable NumericDocValues lengths;

    /**
     * @param lengths null if no row has words
     */
    RowLengths(@Nullable NumericDocValues lengths) {
        this.lengths = lengths;
    }

    /** Returns the number of words of a row, which must not be before that of an earlier call. */
    public int length(int row) {
        try {
            return lengths != null && lengths.advanceExact(row) ? (int) lengths.longValue() : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes the numbers of words of rows, which must not be before those of earlier calls.
     *
     * @param rows rising
     */
    public void lengths(int[] rows, int count, long[] into) {
        try {
            if (lengths == null) {
                Arrays.fill(into, 0, count, 0);
            } else {
                lengths.longValues(count, rows, into, 0);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
