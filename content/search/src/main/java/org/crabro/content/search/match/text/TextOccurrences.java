package org.crabro.content.search.match.text;

import java.util.Arrays;

/**
 * The numbers of occurrences of patterns in texts, and the lengths of the texts: by index of the
 * row in a slice, or by the code of a distinct text. For one thread.
 */
public final class TextOccurrences {
    private final int[][] occurrences;
    private final int size;

    // Allocated when texts are tokenized. Stored tokens provide lengths by themselves.
    private int[] lengths = {};

    /**
     * By pattern, one bit per row that was searched for the pattern; the last entry has the rows
     * that were tokenized.
     */
    private final long[][] looked;

    public TextOccurrences(int patternCount, int size) {
        this.occurrences = new int[patternCount][];
        this.size = size;
        this.looked = new long[patternCount + 1][];
        // In a loop: the JVM allocates nested arrays by a slow call.
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

    /** Returns the number of occurrences of a pattern, by row. The caller writes to the array. */
    public int[] occurrences(int pattern) {
        return occurrences[pattern];
    }

    /**
     * Returns the rows in which a pattern was searched, one bit per row. The caller writes to the
     * array.
     *
     * @param pattern the index of a pattern; the number of patterns returns the tokenized rows
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
     * Removes all occurrences, so that another slice can use the memory.
     *
     * @param count the number of rows of the next slice, at most {@link #size()}
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

    /** Marks a row as searched and returns whether it was not marked before. */
    public static boolean isNew(long[] looked, int index) {
        long bit = 1L << index;
        if ((looked[index >>> 6] & bit) != 0) {
            return false;
        }
        looked[index >>> 6] |= bit;
        return true;
    }
}
