package org.crabro.content.sidecar;

import java.io.IOException;
import java.io.UncheckedIOException;
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
}
