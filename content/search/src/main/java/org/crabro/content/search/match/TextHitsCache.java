package org.crabro.content.search.match;

import java.util.concurrent.atomic.AtomicLong;
import org.crabro.content.search.match.text.TextOccurrences;
import org.crabro.content.search.match.text.TokenHits;
import org.jspecify.annotations.Nullable;

/**
 * Stores the results that one pass of a query found in texts for the passes after it, so that no
 * text is tokenized twice. One thread at a time writes or reads a slice.
 *
 * <p>The cache has at most {@value #BYTES_MAX} bytes. Slices beyond that are tokenized again.
 */
public final class TextHitsCache {
    /** The size limit. A document takes 4 bytes, and 4 more for each word of the query. */
    static final long BYTES_MAX = 64L << 20;

    private final @Nullable TextOccurrences[][] bySlice;
    private final int[][][] tokensBySlice;
    private final boolean[] tokenized;
    private final AtomicLong bytes = new AtomicLong();

    public TextHitsCache(int sliceCount) {
        this.bySlice = new TextOccurrences[sliceCount][];
        this.tokensBySlice = new int[sliceCount][][];
        this.tokenized = new boolean[sliceCount];
    }

    /**
     * Stores the results of a slice.
     *
     * @param occurrences by text scan
     * @param tokens by text scan, from {@link TokenHits#tokens()}
     */
    void keep(int slice, @Nullable TextOccurrences[] occurrences, int[][] tokens) {
        long size = 0;
        for (int[] ofText : tokens) {
            size += (long) Integer.BYTES * ofText.length;
        }
        for (TextOccurrences ofText : occurrences) {
            size += ofText == null ? 0 : ofText.byteSize();
        }
        if (bytes.addAndGet(size) <= BYTES_MAX) {
            bySlice[slice] = occurrences;
            tokensBySlice[slice] = tokens;
        }
    }

    void setTokenized(int slice) {
        tokenized[slice] = true;
    }

    /**
     * Returns whether texts of a slice were tokenized because its block stores no tokens of them.
     */
    public boolean isTokenized(int slice) {
        return tokenized[slice];
    }

    /** Returns the token numbers of the query's words, from {@link TokenHits#tokens()}. */
    int @Nullable [] tokens(int slice, int scanned) {
        int[][] ofSlice = tokensBySlice[slice];
        return ofSlice == null ? null : ofSlice[scanned];
    }

    @Nullable TextOccurrences cached(int slice, int scanned) {
        @Nullable TextOccurrences[] ofSlice = bySlice[slice];
        return ofSlice == null ? null : ofSlice[scanned];
    }
}
