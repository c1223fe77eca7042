package org.crabro.content.storage.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a section that match conditions: the rows of a bit set that have all of some words.
 * Words, numbers and bits are only read when rows are asked for. For one thread.
 */
public final class RowSet {
    /** Words in at least this share of the rows are joined as bits if only their number counts. */
    private static final int DENSE_SHARE = 64;

    /** Null for rows that only words choose, and while others were not asked for as bits. */
    private @Nullable FixedBitSet bits;

    /** The rows of {@link #bits}, if they are known to be few: rising. */
    private final int @Nullable [] few;

    /** The rows of {@link #bits}, if a range of numbers chooses them. */
    private final @Nullable NumberRows numbers;

    /** If words choose the rows of {@link #bits}: each of these rows has at least one of them. */
    private final List<IndexedWord> anyWords;

    private final List<IndexedWord> words;
    private final int rowCount;

    private RowSet(
            @Nullable FixedBitSet bits,
            int @Nullable [] few,
            @Nullable NumberRows numbers,
            List<IndexedWord> anyWords,
            List<IndexedWord> words,
            int rowCount) {
        this.bits = bits;
        this.few = few;
        this.numbers = numbers;
        this.anyWords = anyWords;
        this.words = words;
        this.rowCount = rowCount;
    }

    /** Collects rows in any order. For one thread. */
    public static final class Builder {
        private final FixedBitSet bits;

        /**
         * @param rowCount the number of rows of the section
         */
        public Builder(int rowCount) {
            this.bits = new FixedBitSet(rowCount);
        }

        /** Adds a row. */
        public void add(int row) {
            bits.set(row);
        }

        /** Adds the rows with numbers in a range. */
        public void add(NumberRows numbers) {
            numbers.addTo(bits);
        }

        /** Returns the bits of the rows, to be changed. */
        FixedBitSet bits() {
            return bits;
        }

        /** Returns the rows; the builder is not used any more. */
        public RowSet build() {
            return ofBits(bits);
        }
    }

    /** Returns all rows of a section. */
    public static RowSet all(int rowCount) {
        return new RowSet(null, null, null, List.of(), List.of(), rowCount);
    }

    /**
     * Returns the rows of a bit set.
     *
     * @param bits one per row, passed to the set
     */
    public static RowSet ofBits(FixedBitSet bits) {
        return new RowSet(bits, null, null, List.of(), List.of(), bits.length());
    }

    /**
     * Returns some rows.
     *
     * @param few rising, passed to the set
     */
    public static RowSet ofFew(int[] few, int rowCount) {
        return new RowSet(null, few, null, List.of(), List.of(), rowCount);
    }

    /** Returns the rows with numbers in a range. */
    public static RowSet ofNumbers(NumberRows numbers, int rowCount) {
        return new RowSet(null, null, numbers, List.of(), List.of(), rowCount);
    }

    /** Returns the rows with a word. */
    public static RowSet ofWord(IndexedWord word, int rowCount) {
        return new RowSet(null, null, null, List.of(), List.of(word), rowCount);
    }

    /** Returns the rows of both sets, which are not used any more. */
    public RowSet and(RowSet that) {
        var all = new ArrayList<>(words);
        all.addAll(that.words);
        if (isOfWords() || that.isOfWords()) {
            RowSet one = isOfWords() ? that : this;
            return new RowSet(one.bits, one.few, one.numbers, one.anyWords, all, rowCount);
        }
        FixedBitSet both = ownBits();
        both.and(that.ownBits());
        return new RowSet(both, null, null, List.of(), all, rowCount);
    }

    /** Returns the rows of either set, which are not used any more. */
    public RowSet or(RowSet that) {
        if (isOfAnyWord() && that.isOfAnyWord()) {
            var any = new ArrayList<>(anyWords.isEmpty() ? words : anyWords);
            any.addAll(that.anyWords.isEmpty() ? that.words : that.anyWords);
            return new RowSet(null, null, null, any, List.of(), rowCount);
        }
        int[] some = few().orElse(null);
        int[] more = that.few().orElse(null);
        if (some != null && more != null) {
            int[] all =
                    IntStream.concat(Arrays.stream(some), Arrays.stream(more))
                            .sorted()
                            .distinct()
                            .toArray();
            return ofFew(all, rowCount);
        }
        FixedBitSet either = toBits();
        either.or(that.toBits());
        return ofBits(either);
    }

    /** Returns the rows that another set does not have; neither is used any more. */
    public RowSet andNot(RowSet that) {
        FixedBitSet left = toBits();
        left.andNot(that.toBits());
        return ofBits(left);
    }

    /** Returns the same rows, which are looked for now; this set is not used any more. */
    public RowSet evaluated() {
        return ofBits(toBits());
    }

    /** Returns the number of rows of the section. */
    public int rowCount() {
        return rowCount;
    }

    /** Returns a test for the rows, which are looked for now. */
    public IntPredicate test() {
        return toBits()::get;
    }

    /** Returns the same rows, to be changed apart from these. */
    public RowSet copy() {
        return few().map(rows -> ofFew(rows, rowCount)).orElseGet(() -> ofBits(toBits().clone()));
    }

    /** Returns the rows, rising, if they are known to be few; not to be modified. */
    Optional<int[]> few() {
        return words.isEmpty() ? Optional.ofNullable(few) : Optional.empty();
    }

    /** Returns whether the rows are known to be few. */
    public boolean isFew() {
        return few().isPresent();
    }

    /** Returns whether only words choose the rows, or nothing does. */
    private boolean isOfWords() {
        return bits == null && few == null && numbers == null && anyWords.isEmpty();
    }

    /** Returns whether a row is in the set if it has any of some words. */
    private boolean isOfAnyWord() {
        return anyWords.isEmpty() ? word().isPresent() : words.isEmpty();
    }

    /** Returns the rows without regard to words, unless there are only words. */
    private FixedBitSet ownBits() {
        FixedBitSet own = bits;
        if (own == null) {
            own = new FixedBitSet(rowCount);
            if (numbers != null) {
                numbers.addTo(own);
            }
            for (IndexedWord word : anyWords) {
                own.or(word.hasBits() ? word.bits(rowCount) : ofWord(word, rowCount).toBits());
            }
            for (int i = 0; few != null && i < few.length; i++) {
                own.set(few[i]);
            }
            bits = own;
        }
        return own;
    }

    /** Returns the rows as bits, which the caller may change if the set is not used any more. */
    public FixedBitSet toBits() {
        if (words.isEmpty() && !isOfWords()) {
            return ownBits();
        }
        if (!words.isEmpty() && isDense()) {
            return joinedBits();
        }
        var copy = new FixedBitSet(rowCount);
        if (words.isEmpty()) {
            copy.set(0, rowCount);
            return copy;
        }
        RowCursor rows = cursor();
        for (int row = rows.advance(0); row != WordCursor.END; row = rows.advance(row + 1)) {
            copy.set(row);
        }
        return copy;
    }

    /** Returns whether every word has so many rows that bits are faster than leaps. */
    private boolean isDense() {
        for (IndexedWord word : words) {
            if (!word.hasBits() || word.rowsMax() < rowCount / DENSE_SHARE) {
                return false;
            }
        }
        return true;
    }

    private FixedBitSet joinedBits() {
        FixedBitSet all = isOfWords() ? null : ownBits();
        for (IndexedWord word : words) {
            FixedBitSet ofWord = word.bits(rowCount);
            if (all != null) {
                ofWord.and(all);
            }
            all = ofWord;
        }
        return all == null ? new FixedBitSet(rowCount) : all;
    }

    /** Returns the word that the rows have, if they are all rows with one word. */
    public Optional<IndexedWord> word() {
        return isOfWords() && words.size() == 1 ? Optional.of(words.getFirst()) : Optional.empty();
    }

    private Optional<AnyWords> anyWords(LiveRows live) {
        return !words.isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(AnyWords.of(anyWords, live, ownBits()));
    }

    /**
     * Returns the live rows, if the set has all rows with several common words, or all with any of
     * several words.
     */
    public Optional<? extends SeveralWords> several(LiveRows live) {
        return anyWords.isEmpty() ? joined(live) : anyWords(live);
    }

    private Optional<JoinedWords> joined(LiveRows live) {
        if (words.size() < 2 || !isDense()) {
            return Optional.empty();
        }
        var blocks = new WordBlocks[words.size()];
        for (int i = 0; i < blocks.length; i++) {
            WordBlocks ofWord = words.get(i).blocks().orElse(null);
            if (ofWord == null) {
                return Optional.empty();
            }
            blocks[i] = ofWord;
        }
        FixedBitSet rows = joinedBits();
        live.retain(rows);
        return Optional.of(new JoinedWords(words.toArray(IndexedWord[]::new), blocks, rows));
    }

    /** Returns whether no row can be in the set. */
    public boolean isEmpty() {
        for (IndexedWord word : words) {
            if (word.rowsMax() == 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns the number of live rows. */
    public int count(LiveRows live) {
        if (words.isEmpty()) {
            return isOfWords() ? live.count() : ownCount(live);
        }
        if (words.size() == 1 && isOfWords() && live.isEvery() && words.getFirst().isCounted()) {
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

    /** Returns the number of live rows that another set has, too. */
    public int count(RowSet that, LiveRows live) {
        FixedBitSet both = toBits().clone();
        both.and(that.toBits());
        return live.count(both);
    }

    /** Returns the number of live rows without regard to words. */
    private int ownCount(LiveRows live) {
        if (bits == null && numbers != null && live.isEvery()) {
            OptionalInt counted = numbers.count();
            if (counted.isPresent()) {
                return counted.getAsInt();
            }
        }
        return live.count(ownBits());
    }

    /** Returns a cursor over the rows, in front of the first. */
    public RowCursor cursor() {
        var rising = words.toArray(IndexedWord[]::new);
        if (rising.length > 1) {
            Arrays.sort(rising, Comparator.comparingLong(IndexedWord::rowsMax));
        }
        return new RowCursor(rising, isOfWords() ? null : ownBits(), rowCount);
    }

    /** A cursor over the rows of a set, in rising order. For one thread. */
    public static final class RowCursor {
        private final IndexedWord[] joined;
        private final WordCursor[] words;
        private final @Nullable FixedBitSet bits;
        private final int rowCount;

        private RowCursor(IndexedWord[] joined, @Nullable FixedBitSet bits, int rowCount) {
            this.joined = joined;
            this.words = new WordCursor[joined.length];
            for (int i = 0; i < joined.length; i++) {
                words[i] = joined[i].cursor();
            }
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
                if (agreed != row) {
                    row = agreed;
                } else if (row == WordCursor.END || isMatch()) {
                    return row;
                } else {
                    row++;
                }
            }
        }

        /** Returns whether the current row has all phrases, and not only their words. */
        private boolean isMatch() {
            for (WordCursor word : words) {
                if (!word.isMatch()) {
                    return false;
                }
            }
            return true;
        }

        /** Returns the number of words that all rows of the set have. */
        public int wordCount() {
            return words.length;
        }

        /** Returns the index of a word that all rows of the set have; -1 for other words. */
        public int index(IndexedWord word) {
            return word.indexIn(joined);
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
