package org.crabro.protocol.search;

import java.util.Comparator;

/**
 * A word of documents that differs from a word of a query in a few characters.
 *
 * @param text as it is in documents, after the normalization of the field
 * @param edits the number of edits between the words: 1 or 2
 * @param documents the number of documents with the word, added up over the searched fields
 */
public record NearWord(String text, int edits, long documents) {
    /** The order by which some of many words are chosen: the nearest, then by their texts. */
    public static final Comparator<NearWord> NEAREST_FIRST =
            Comparator.comparingInt(NearWord::edits).thenComparing(NearWord::text);

    /** The order in which words are added: the nearest, then the most frequent. */
    public static final Comparator<NearWord> BEST_FIRST =
            Comparator.comparingInt(NearWord::edits)
                    .thenComparing(Comparator.comparingLong(NearWord::documents).reversed())
                    .thenComparing(NearWord::text);
}
