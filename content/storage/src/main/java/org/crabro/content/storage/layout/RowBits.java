package org.crabro.content.storage.layout;

import java.util.Arrays;

/** A bit per row of a block that is being written. Reused for the next block. */
public final class RowBits {
    private long[] words = new long[1];
    private int count;

    public void clear() {
        Arrays.fill(words, 0);
        count = 0;
    }

    /** Sets the bit of a row, which must not be set yet. */
    public void set(int row) {
        int word = row >>> 6;
        if (word >= words.length) {
            words = Arrays.copyOf(words, Math.max(word + 1, 2 * words.length));
        }
        words[word] |= 1L << row;
        count++;
    }

    public boolean has(int row) {
        int word = row >>> 6;
        return word < words.length && (words[word] >>> row & 1) != 0;
    }

    /** Returns the number of set bits. */
    public int count() {
        return count;
    }

    /** Writes the bits of {@code rows} as a bitmap. */
    public void writeTo(BlockBytes out, int rows) {
        for (int at = 0; at < BlockLayout.bitmapSize(rows); at++) {
            int word = at >>> 3;
            out.putByte(word < words.length ? (int) (words[word] >>> (8 * (at & 7))) : 0);
        }
    }
}
