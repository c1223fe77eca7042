package org.crabro.content.search.match.cache;

import java.util.Arrays;
import org.crabro.content.storage.block.token.TokenNumbers;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.read.BlockSlice;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a block in which each token occurs, with the number of occurrences: the inverse of
 * {@link TokenNumbers}. Immutable, and on the heap, so it may outlive the view from which the block
 * was read.
 */
public final class Postings implements BlockCache.Cached {
    /** Row numbers and numbers of occurrences have 16 bits each. */
    private static final int LIMIT = 1 << 16;

    /** By token the index of its first entry; after the last token, the number of entries. */
    private final int[] starts;

    /**
     * The row in the upper 16 bits, the number of occurrences in the lower ones. The rows of a
     * token are in rising order.
     */
    private final int[] entries;

    private Postings(int[] starts, int[] entries) {
        this.starts = starts;
        this.entries = entries;
    }

    /**
     * Returns the postings of a block; null if the block has too many rows.
     *
     * @param tokens the number of different tokens
     */
    static @Nullable Postings of(TokenNumbers numbers, int rows, int tokens) {
        if (rows > LIMIT) {
            return null;
        }
        int[] rowStarts = new int[rows + 1];
        for (int row = 0; row <= rows; row++) {
            rowStarts[row] = numbers.rowStart(row);
            if (row > 0 && rowStarts[row] - rowStarts[row - 1] >= LIMIT) {
                return null;
            }
        }
        int[] words = new int[rowStarts[rows]];
        numbers.copyNumbers(0, words.length, words);
        int[] starts = starts(words, rowStarts, tokens);
        return new Postings(starts, entries(words, rowStarts, starts));
    }

    private static int[] starts(int[] words, int[] rowStarts, int tokens) {
        int[] starts = new int[tokens + 1];
        int[] lastRow = new int[tokens];
        for (int row = 1; row < rowStarts.length; row++) {
            for (int word = rowStarts[row - 1]; word < rowStarts[row]; word++) {
                int token = words[word];
                if (lastRow[token] != row) {
                    lastRow[token] = row;
                    starts[token + 1]++;
                }
            }
        }
        for (int token = 0; token < tokens; token++) {
            starts[token + 1] += starts[token];
        }
        return starts;
    }

    private static int[] entries(int[] words, int[] rowStarts, int[] starts) {
        int tokens = starts.length - 1;
        int[] entries = new int[starts[tokens]];
        int[] next = Arrays.copyOf(starts, tokens);
        for (int row = 0; row < rowStarts.length - 1; row++) {
            for (int word = rowStarts[row]; word < rowStarts[row + 1]; word++) {
                int token = words[word];
                int last = next[token] - 1;
                if (last >= starts[token] && entries[last] >>> 16 == row) {
                    entries[last]++;
                } else {
                    entries[next[token]++] = row << 16 | 1;
                }
            }
        }
        return entries;
    }

    /** Returns the size on the heap in bytes. */
    @Override
    public long byteSize() {
        return (long) Integer.BYTES * (starts.length + entries.length);
    }

    /**
     * Writes the live rows of a slice that contain a token, in rising order, and the number of
     * occurrences in each.
     *
     * @param each the number that is added for one occurrence
     * @param counts receives the occurrences in the first row of the slice at index 0, and so on;
     *     only of rows that contain the token, dead ones too
     * @return the number of rows
     */
    public int rows(int token, int each, BlockSlice slice, int[] rows, int[] counts) {
        int from = slice.from();
        int to = slice.to();
        DeadRows dead = slice.dead();
        int count = 0;
        int end = starts[token + 1];
        for (int i = starts[token]; i < end; i++) {
            int entry = entries[i];
            int row = entry >>> 16;
            if (row >= from && row < to) {
                counts[row - from] = each * (entry & (LIMIT - 1));
                rows[count] = row;
                count += dead.has(row) ? 0 : 1;
            }
        }
        return count;
    }

    /**
     * Adds the number of occurrences of a token in each of some consecutive rows.
     *
     * @param each the number that is added for one occurrence
     * @param counts receives the occurrences in row {@code from} at index 0, and so on
     */
    public void count(int token, int each, int from, int to, int[] counts) {
        int end = starts[token + 1];
        for (int i = starts[token]; i < end; i++) {
            int row = entries[i] >>> 16;
            if (row >= from && row < to) {
                counts[row - from] += each * (entries[i] & (LIMIT - 1));
            }
        }
    }
}
