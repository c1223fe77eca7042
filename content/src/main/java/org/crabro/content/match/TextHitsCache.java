package org.crabro.content.match;

import java.util.concurrent.atomic.AtomicLong;
import org.crabro.content.match.text.TextOccurrences;
import org.crabro.content.match.text.TokenHits;
import org.jspecify.annotations.Nullable;

/**
 * What one pass over the slices of a query has found in their texts, for the passes after it, so
 * that no text is tokenised twice. A slice is kept, and later read, by one thread at a time.
 *
 * <p>It takes at most {@value #BYTES_MAX} bytes; slices beyond that are tokenised again.
 */
public final class TextHitsCache {
    /** Four bytes for each document and each word of a query, and four more. */
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
     * @param found by text scan
     * @param tokens by text scan, as {@link TokenHits#tokens()} tells
     */
    void keep(int slice, @Nullable TextOccurrences[] found, int[][] tokens) {
        long size = 0;
        for (int[] ofText : tokens) {
            size += (long) Integer.BYTES * ofText.length;
        }
        for (TextOccurrences ofText : found) {
            size += ofText == null ? 0 : ofText.byteSize();
        }
        if (bytes.addAndGet(size) <= BYTES_MAX) {
            bySlice[slice] = found;
            tokensBySlice[slice] = tokens;
        }
    }

    void setTokenized(int slice) {
        tokenized[slice] = true;
    }

    /** Returns whether texts of a slice had to be tokenised: its block keeps no tokens of them. */
    public boolean isTokenized(int slice) {
        return tokenized[slice];
    }

    /** Returns the tokens that words came to, as {@link TokenHits#tokens()} tells. */
    int @Nullable [] tokens(int slice, int scanned) {
        int[][] ofSlice = tokensBySlice[slice];
        return ofSlice == null ? null : ofSlice[scanned];
    }

    @Nullable TextOccurrences found(int slice, int scanned) {
        @Nullable TextOccurrences[] ofSlice = bySlice[slice];
        return ofSlice == null ? null : ofSlice[scanned];
    }
}
