package org.crabro.content.storage.index;

import org.apache.lucene.index.FreqAndNormBuffer;

/**
 * How often words occur at most in some rows, and in how short texts: for each word some pairs of
 * occurrences and lengths. Each row with the word is like one of its pairs, or it has fewer
 * occurrences or a longer text than one of them. For one thread.
 */
public final class BestPairs {
    private static final FreqAndNormBuffer NONE = new FreqAndNormBuffer();

    private final FreqAndNormBuffer[] pairs;
    private int limit;

    BestPairs(int wordCount) {
        this.pairs = new FreqAndNormBuffer[wordCount];
        this.limit = wordCount;
    }

    void set(int word, FreqAndNormBuffer ofWord) {
        pairs[word] = ofWord;
    }

    /** Sets that a word occurs in no row. */
    void clear(int word) {
        pairs[word] = NONE;
    }

    /** Lets the words from an index on have no pairs, until the next call. */
    void limit(int word) {
        limit = word;
    }

    /** Returns the number of pairs of a word; 0 if it occurs in no row. */
    public int count(int word) {
        return word < limit ? pairs[word].size : 0;
    }

    /** Returns how often a word occurs, by one of its pairs. */
    public int occurrences(int word, int pair) {
        return pairs[word].freqs[pair];
    }

    /** Returns the number of words of the text, by one of the pairs of a word. */
    public int length(int word, int pair) {
        return (int) pairs[word].norms[pair];
    }
}
