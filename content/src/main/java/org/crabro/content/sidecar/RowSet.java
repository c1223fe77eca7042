package org.crabro.content.sidecar;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a section that match conditions: the rows of a bit set that have some words. Words are
 * only read when rows are asked for. For one thread.
 */
public final class RowSet {
    /** Words in at least this share of the rows are joined as bits if only their number counts. */
    private static final int DENSE_SHARE = 64;

    private final @Nullable FixedBitSet bits;
    private final List<IndexedWord> words;
    private final int rowCount;

    private RowSet(@Nullable FixedBitSet bits, List<IndexedWord> words, int rowCount) {
        this.bits = bits;
        this.words = words;
        this.rowCount = rowCount;
    }

    /** Returns all rows of a section. */
    public static RowSet all(int rowCount) {
        return new RowSet(null, List.of(), rowCount);
    }

    /**
     * Returns the rows of a bit set.
     *
     * @param bits one per row, passed to the set
     */
    public static RowSet ofBits(FixedBitSet bits) {
        return new RowSet(bits, List.of(), bits.length());
    }

    /** Returns the rows with a word. */
    public static RowSet ofWord(IndexedWord word, int rowCount) {
        return new RowSet(null, List.of(word), rowCount);
    }

    /** Returns the rows of both sets, which are not used any more. */
    public RowSet and(RowSet that) {
        FixedBitSet both = bits == null ? that.bits : bits;
        if (bits != null && that.bits != null) {
            bits.and(that.bits);
        }
        var all = new ArrayList<>(words);
        all.addAll(that.words);
        return new RowSet(both, all, rowCount);
    }

    /** Returns the rows as bits, which the caller may change if the set is not used any more. */
    public FixedBitSet toBits() {
        if (words.isEmpty() && bits != null) {
            return bits;
        }
        if (!words.isEmpty() && isDense()) {
            return joinedBits();
        }
        var found = new FixedBitSet(rowCount);
        if (words.isEmpty()) {
            found.set(0, rowCount);
            return found;
        }
        RowCursor rows = cursor();
        for (int row = rows.advance(0); row != WordCursor.END; row = rows.advance(row + 1)) {
            found.set(row);
        }
        return found;
    }

    /** Returns whether every word has so many rows that bits are faster than leaps. */
    private boolean isDense() {
        for (IndexedWord word : words) {
            if (word.rowsMax() < rowCount / DENSE_SHARE) {
                return false;
            }
        }
        return true;
    }

    private FixedBitSet joinedBits() {
        FixedBitSet all = bits;
        for (IndexedWord word : words) {
            FixedBitSet ofWord = word.bits(rowCount);
            if (all != null) {
                ofWord.and(all);
            }
            all = ofWord;
        }
        return all == null ? new FixedBitSet(rowCount) : all;
    }

    /** Returns the number of live rows. */
    public int count(LiveRows live) {
        if (words.isEmpty()) {
            return bits == null ? live.count() : live.count(bits);
        }
        if (words.size() == 1 && bits == null && live.isEvery() && words.getFirst().isOneForm()) {
            return (int) words.getFirst().rowsMax();
        }
        if (isDense()) {
            return live.count(joinedBits());
        }
        int count = 0;
        RowCursor rows = cursor();
        for (int row = rows.advance(0); row != WordCursor.END; row = rows.advance(row + 1)) {
            count += live.has(row) ? 1 : 0;
        }
        return count;
    }

    /** Returns a cursor over the rows, in front of the first. */
    public RowCursor cursor() {
        List<IndexedWord> rising =
                words.stream().sorted(Comparator.comparingLong(IndexedWord::rowsMax)).toList();
        return new RowCursor(rising, bits, rowCount);
    }

    /** A cursor over the rows of a set, in rising order. For one thread. */
    public static final class RowCursor {
        private final List<IndexedWord> joined;
        private final WordCursor[] words;
        private final @Nullable FixedBitSet bits;
        private final int rowCount;

        private RowCursor(List<IndexedWord> joined, @Nullable FixedBitSet bits, int rowCount) {
            this.joined = joined;
            this.words = joined.stream().map(IndexedWord::cursor).toArray(WordCursor[]::new);
            this.bits = bits;
            this.rowCount = rowCount;
        }

        /** Returns the first row from {@code target} on, which must be after all before. */
        public int advance(int target) {
            int row = target;
            while (true) {
                row = nextBit(row);
                int agreed = row;
                for (int i = 0; i < words.length && agreed == row && row != WordCursor.END; i++) {
                    WordCursor word = words[i];
                    agreed = word.row() < row ? word.advance(row) : word.row();
                }
                if (agreed == row) {
                    return row;
                }
                row = agreed;
            }
        }

        /** Returns the number of words that all rows of the set have. */
        public int wordCount() {
            return words.length;
        }

        /** Returns the index of a word that all rows of the set have; -1 for other words. */
        @SuppressWarnings("ReferenceEquality") // A word that is looked up twice is the same object.
        public int index(IndexedWord word) {
            for (int i = 0; i < words.length; i++) {
                if (joined.get(i) == word) {
                    return i;
                }
            }
            return -1;
        }

        /** Returns how often a word, by its index, occurs in the current row. */
        public int frequency(int word) {
            return words[word].frequency();
        }

        private int nextBit(int row) {
            if (row >= rowCount) {
                return WordCursor.END;
            }
            return bits == null ? row : bits.nextSetBit(row);
        }
    }
}
