package org.crabro.protocol.search;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How often the searched documents have a word of a query, and which words are near it.
 *
 * @param documents the number of documents with the word. It is exact up to {@link #LITTLE}; a
 *     larger number means more than {@link #LITTLE}
 * @param near words of the documents that are near it, in the order of {@link
 *     NearWord#NEAREST_FIRST}
 */
public record WordCount(long documents, List<NearWord> near) {
    /** A word that no more documents have may be misspelled. */
    public static final int LITTLE = 2;

    /** The most words of {@link #near}. Of more words, the nearest and first by text remain. */
    public static final int NEAR_MAX = 1_000;

    public WordCount {
        near = List.copyOf(near);
    }

    /** Returns whether so few documents have the word that others are added. */
    public boolean isLittle() {
        return documents <= LITTLE;
    }

    /** Returns the count of both, for disjoint parts of the searched documents. */
    public WordCount plus(WordCount other) {
        if (near.isEmpty() || other.near.isEmpty()) {
            return new WordCount(documents + other.documents, near.isEmpty() ? other.near : near);
        }
        Map<String, NearWord> all = new HashMap<>();
        near.forEach(word -> all.put(word.text(), word));
        for (NearWord word : other.near) {
            all.merge(
                    word.text(),
                    word,
                    (one, two) ->
                            new NearWord(
                                    one.text(),
                                    Math.min(one.edits(), two.edits()),
                                    one.documents() + two.documents()));
        }
        return new WordCount(
                documents + other.documents,
                all.values().stream().sorted(NearWord.NEAREST_FIRST).limit(NEAR_MAX).toList());
    }
}
