package org.crabro.content.sidecar;

import org.apache.lucene.index.FreqAndNormBuffer;

/**
 * How often words occur at most in some rows, and in how short texts: for each word some pairs of
 * occurrences and lengths. Each row with the word is like one of its pairs, or it has fewer
 * occurrences or a longer text than one of them. For one thread.
 */
public final class BestPairs {
    private final FreqAndNormBuffer[] pairs;

    BestPairs(int wordCount) {
        this.pairs = new FreqAndNormBuffer[wordCount];
    }

    void set(int word, FreqAndNormBuffer ofWord) {
        pairs[word] = ofWord;
    }

    /** Returns the number of pairs of a word. */
    public int count(int word) {
        return pairs[word].size;
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
