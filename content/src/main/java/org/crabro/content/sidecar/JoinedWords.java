package org.crabro.content.sidecar;

import org.apache.lucene.util.FixedBitSet;

/**
 * The live rows that have several common words, a few hundred at a time. Rows of no use are not
 * decoded. For one thread.
 */
public final class JoinedWords {
    /** The most rows at a time. */
    public static final int ROWS_MAX = 1_024;

    private final IndexedWord[] words;
    private final WordBlocks[] blocks;
    private final FixedBitSet matching;
    private final int[] rows = new int[ROWS_MAX];
    private final int[][] occurrences;
    private final BestPairs best;
    private int next;

    /**
     * @param words that all rows have
     * @param blocks of these words
     * @param matching the live rows, one bit per row
     */
    JoinedWords(IndexedWord[] words, WordBlocks[] blocks, FixedBitSet matching) {
        this.words = words;
        this.blocks = blocks;
        this.matching = matching;
        this.occurrences = new int[words.length][ROWS_MAX];
        this.best = new BestPairs(words.length);
    }

    /** Returns the number of all rows. */
    public int count() {
        return matching.cardinality();
    }

    /** Returns the number of words. */
    public int wordCount() {
        return words.length;
    }

    /** Returns the index of a word; -1 for other words. */
    @SuppressWarnings("ReferenceEquality") // A word that is looked up twice is the same object.
    public int index(IndexedWord word) {
        for (int i = 0; i < words.length; i++) {
            if (words[i] == word) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Reads the next rows that may be of use.
     *
     * @return their number; 0 after the last
     */
    public int read(WordBlocks.Use use) {
        while (next < matching.length()) {
            int from = matching.nextSetBit(next);
            if (from == WordCursor.END) {
                break;
            }
            int to = Math.min(matching.length(), from + ROWS_MAX);
            for (int word = 0; word < blocks.length; word++) {
                to = Math.min(to, blocks[word].shallowEnd(from, word, best));
            }
            next = to;
            if (use.isUseful(best)) {
                for (int word = 0; word < blocks.length; word++) {
                    blocks[word].read(matching, from, to, occurrences[word]);
                }
                return matching.intoArray(from, to, 0, rows);
            }
        }
        next = matching.length();
        return 0;
    }

    /** Returns the rows that were read last, rising. */
    public int[] rows() {
        return rows;
    }

    /** Returns how often a word, by its index, occurs in each of {@link #rows()}. */
    public int[] occurrences(int word) {
        return occurrences[word];
    }
}
