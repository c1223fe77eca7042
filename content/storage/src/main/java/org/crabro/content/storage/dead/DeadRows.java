package org.crabro.content.storage.dead;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.RunLayout;

/** The dead rows of a block, one bit per row. Immutable. */
public final class DeadRows {
    /** No row. */
    public static final DeadRows NONE = new DeadRows(new long[0]);

    /** The row numbers of a full block; nearly always most rows are alive. */
    private static final int[] NUMBERS = IntStream.range(0, BlockLayout.ROWS_MAX).toArray();

    /** Row {@code r} is bit {@code r % 64} of word {@code r / 64}; the last word is not 0. */
    private final long[] words;

    private DeadRows(long[] words) {
        this.words = words;
    }

    /** Returns the dead rows {@code rows}, in ascending order. */
    public static DeadRows of(int[] rows) {
        if (rows.length == 0) {
            return NONE;
        }
        var words = new long[(rows[rows.length - 1] >>> 6) + 1];
        for (int row : rows) {
            words[row >>> 6] |= 1L << row;
        }
        return new DeadRows(words);
    }

    /**
     * Returns the rows at {@code addresses}.
     *
     * @param addresses ascending; those from {@code from} to {@code to}, exclusive, are of one
     *     block
     */
    public static DeadRows of(long[] addresses, int from, int to) {
        if (from == to) {
            return NONE;
        }
        var words = new long[(RunLayout.row(addresses[to - 1]) >>> 6) + 1];
        for (int i = from; i < to; i++) {
            int row = RunLayout.row(addresses[i]);
            words[row >>> 6] |= 1L << row;
        }
        return new DeadRows(words);
    }

    /** Returns the rows from {@code from} to {@code to}, exclusive. */
    public static DeadRows between(int from, int to) {
        if (from >= to) {
            return NONE;
        }
        var words = new long[((to - 1) >>> 6) + 1];
        Arrays.fill(words, from >>> 6, words.length, -1);
        words[from >>> 6] &= -1L << from;
        words[words.length - 1] &= -1L >>> -to;
        return new DeadRows(words);
    }

    /** Returns the union of this and {@code that}. */
    public DeadRows and(DeadRows that) {
        if (isEmpty() || that.isEmpty()) {
            return isEmpty() ? that : this;
        }
        long[] both = Arrays.copyOf(words, Math.max(words.length, that.words.length));
        for (int i = 0; i < that.words.length; i++) {
            both[i] |= that.words[i];
        }
        return new DeadRows(both);
    }

    public boolean isEmpty() {
        return words.length == 0;
    }

    /** Returns whether {@code row} is dead. */
    public boolean has(int row) {
        int word = row >>> 6;
        return word < words.length && (words[word] >>> row & 1) != 0;
    }

    /** Returns the number of dead rows from {@code from} to {@code to}, exclusive. */
    public int count(int from, int to) {
        int count = 0;
        int last = Math.min((to - 1) >>> 6, words.length - 1);
        for (int word = from >>> 6; from < to && word <= last; word++) {
            count += Long.bitCount(words[word] & mask(word, from, to));
        }
        return count;
    }

    /**
     * Writes the numbers of the live rows from {@code from} to {@code to}, exclusive.
     *
     * @param into receives them from index 0 on
     * @return their number
     */
    public int live(int from, int to, int[] into) {
        int count = 0;
        int row = from;
        int covered = Math.min(to, words.length << 6);
        while (row < covered) {
            long live = ~words[row >>> 6] & mask(row >>> 6, row, to);
            int base = row & -Long.SIZE;
            while (live != 0) {
                into[count++] = base + Long.numberOfTrailingZeros(live);
                live &= live - 1;
            }
            row = base + Long.SIZE;
        }
        row = Math.max(from, covered);
        if (row < to && to <= NUMBERS.length) {
            System.arraycopy(NUMBERS, row, into, count, to - row);
            return count + to - row;
        }
        for (; row < to; row++) {
            into[count++] = row;
        }
        return count;
    }

    /**
     * Writes the numbers of the dead rows from {@code from} to {@code to}, exclusive.
     *
     * @param into receives them from index 0 on
     * @return their number
     */
    public int dead(int from, int to, int[] into) {
        int count = 0;
        int last = Math.min((to - 1) >>> 6, words.length - 1);
        for (int word = from >>> 6; from < to && word <= last; word++) {
            long dead = words[word] & mask(word, from, to);
            while (dead != 0) {
                into[count++] = (word << 6) + Long.numberOfTrailingZeros(dead);
                dead &= dead - 1;
            }
        }
        return count;
    }

    /** Returns the bits of a word for the rows from {@code from} to {@code to}, exclusive. */
    private static long mask(int word, int from, int to) {
        long mask = -1;
        if (word == from >>> 6) {
            mask &= -1L << from;
        }
        if (word == (to - 1) >>> 6) {
            mask &= -1L >>> -to;
        }
        return mask;
    }
}
