package org.crabro.content.match.cache;

import java.util.Arrays;
import org.crabro.content.block.token.TokenNumbers;
import org.crabro.content.dead.DeadRows;
import org.crabro.content.read.BlockSlice;
import org.jspecify.annotations.Nullable;

/**
 * In which rows of a block each token stands, and how often: its {@link TokenNumbers} turned
 * around. Immutable, and on the heap, so that it may outlive the view that gave the block.
 */
public final class Postings implements BlockCache.Cached {
    /** Rows, and how often a token stands in one, take 16 bits each. */
    private static final int LIMIT = 1 << 16;

    /** By token where its entries begin, and behind the last token where they end. */
    private final int[] starts;

    /** The row in the upper half, how often in the lower; rows of a token rise. */
    private final int[] entries;

    private Postings(int[] starts, int[] entries) {
        this.starts = starts;
        this.entries = entries;
    }

    /**
     * Returns the postings of a block; nothing where it is too large for them.
     *
     * @param tokens how many different ones there are
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

    /** Returns how many bytes of the heap this takes. */
    @Override
    public long byteSize() {
        return (long) Integer.BYTES * (starts.length + entries.length);
    }

    /**
     * Writes the live rows of a slice that contain a token, in rising order, and the number of
     * occurrences in each.
     *
     * @param each by how much one occurrence counts
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
     * Adds how often a token stands in each of some rows that lie side by side.
     *
     * @param each for how many times it counts wherever it stands
     * @param counts receives the occurrences of {@code from} at index 0, and so on
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
