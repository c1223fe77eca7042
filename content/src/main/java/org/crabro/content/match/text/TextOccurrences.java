package org.crabro.content.match.text;

import java.util.Arrays;

/**
 * How often patterns occur in texts, and how long the texts are: by index of the row in a slice, or
 * by the code of a distinct text. For one thread.
 */
public final class TextOccurrences {
    private final int[][] occurrences;
    private final int size;

    // Made when texts themselves are looked into: where tokens are kept, these tell.
    private int[] lengths = {};

    /** A bit per row by pattern: the pattern was looked for; last, the rows that were tokenised. */
    private final long[][] looked;

    public TextOccurrences(int patternCount, int size) {
        this.occurrences = new int[patternCount][];
        this.size = size;
        this.looked = new long[patternCount + 1][];
        // One by one: the platform makes arrays of arrays by a slow call.
        for (int i = 0; i < looked.length; i++) {
            if (i < patternCount) {
                occurrences[i] = new int[size];
            }
            looked[i] = new long[(size + Long.SIZE - 1) / Long.SIZE];
        }
    }

    /** Returns the number of rows. */
    public int size() {
        return size;
    }

    /** Returns how often a pattern occurs, by row. The caller writes to the array. */
    public int[] occurrences(int pattern) {
        return occurrences[pattern];
    }

    /**
     * Returns the rows in which a pattern was looked for, a bit per row. The caller writes to it.
     *
     * @param pattern the number of patterns for the rows that were tokenised
     */
    public long[] looked(int pattern) {
        return looked[pattern];
    }

    public long byteSize() {
        return (long) (occurrences.length + 1) * size * Integer.BYTES
                + (long) looked.length * looked[0].length * Long.BYTES;
    }

    void add(int pattern, int index, int count) {
        occurrences[pattern][index] += count;
    }

    int occurrences(int pattern, int index) {
        return occurrences[pattern][index];
    }

    public void addLength(int index, int count) {
        if (lengths.length == 0) {
            lengths = new int[size];
        }
        lengths[index] += count;
    }

    public int length(int index) {
        return lengths.length == 0 ? 0 : lengths[index];
    }

    /**
     * Removes all occurrences, so that the memory serves another slice.
     *
     * @param count the rows that are used next, at most {@link #size()}
     */
    public void clear(int count) {
        Arrays.fill(lengths, 0, Math.min(count, lengths.length), 0);
        for (int[] ofPattern : occurrences) {
            Arrays.fill(ofPattern, 0, count, 0);
        }
        for (long[] ofPattern : looked) {
            Arrays.fill(ofPattern, 0);
        }
    }

    /** Returns whether a row is looked into for the first time, and notes that it is. */
    public static boolean isNew(long[] looked, int index) {
        long bit = 1L << index;
        if ((looked[index >>> 6] & bit) != 0) {
            return false;
        }
        looked[index >>> 6] |= bit;
        return true;
    }
}
