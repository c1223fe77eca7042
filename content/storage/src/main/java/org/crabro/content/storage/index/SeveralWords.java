package org.crabro.content.storage.index;

/**
 * The live rows that several words choose, some hundreds at a time. Rows of no use are not read.
 * For one thread.
 */
public abstract sealed class SeveralWords permits JoinedWords, AnyWords {
    /** The most rows at a time. */
    static final int ROWS_MAX = 1_024;

    final IndexedWord[] words;
    final WordBlocks[] blocks;
    final int[] rows = new int[ROWS_MAX];
    final int[][] occurrences;
    final BestPairs best;

    /**
     * @param blocks of the words
     */
    SeveralWords(IndexedWord[] words, WordBlocks[] blocks) {
        this.words = words;
        this.blocks = blocks;
        this.occurrences = new int[words.length][ROWS_MAX];
        this.best = new BestPairs(words.length);
    }

    /** Returns the number of words. */
    public int wordCount() {
        return words.length;
    }

    /** Returns the index of a word; -1 for other words. */
    public int index(IndexedWord word) {
        return word.indexIn(words);
    }

    /** Returns the number of all rows. */
    public abstract int count();

    /**
     * Reads the next rows that may be of use.
     *
     * @return their number; 0 after the last
     */
    public abstract int read(WordBlocks.Use use);

    /** Returns the rows that were read last, rising. */
    public int[] rows() {
        return rows;
    }

    /** Returns how often a word, by its index, occurs in each of {@link #rows()}. */
    public int[] occurrences(int word) {
        return occurrences[word];
    }
}
