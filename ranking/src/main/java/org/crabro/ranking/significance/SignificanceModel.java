package org.crabro.ranking.significance;

/**
 * How common words are in one language. Immutable.
 *
 * <p>Equal only to itself: a model is as large as a dictionary.
 */
public final class SignificanceModel {
    private final String language;
    private final long documents;
    private final WordCounts counts;

    SignificanceModel(String language, long documents, WordCounts counts) {
        this.language = language;
        this.documents = documents;
        this.counts = counts;
    }

    /** Returns the same model for another language. */
    SignificanceModel as(String other) {
        return new SignificanceModel(other, documents, counts);
    }

    /** Returns the tag of the language, in lower case. */
    public String language() {
        return language;
    }

    /** Returns in how many documents words were counted; at least 1. */
    public long documents() {
        return documents;
    }

    /** Returns how many words it has. */
    public int size() {
        return counts.size();
    }

    /**
     * Returns in how many documents a word was; 0 where the model does not have it.
     *
     * @param word in lower case
     */
    public long documents(String word) {
        return counts.of(word);
    }
}
