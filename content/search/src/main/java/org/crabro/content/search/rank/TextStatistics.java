package org.crabro.content.search.rank;

import java.util.Collections;
import java.util.List;

/**
 * The frequency of words, and the average length of a field.
 *
 * @param documents the number of counted documents
 * @param averageLength the average number of tokens of the field, over the documents in which it
 *     has any
 * @param averageElementLength the average number of tokens of the field's elements, if these are
 *     counted
 * @param documentsByTerm by term, the number of documents with the term in the field
 */
record TextStatistics(
        long documents,
        double averageLength,
        double averageElementLength,
        List<Long> documentsByTerm) {
    private static final double CONSTANT_LENGTH = 100;

    TextStatistics {
        documentsByTerm = List.copyOf(documentsByTerm);
    }

    /** Returns the statistics of {@code termCount} words if none are counted. */
    static TextStatistics constant(int termCount) {
        return new TextStatistics(
                1, CONSTANT_LENGTH, CONSTANT_LENGTH, Collections.nCopies(termCount, 0L));
    }

    /** Returns the inverse document frequency of a term: the rarer the term, the larger. */
    double inverseFrequency(int term) {
        double total = Math.max(1, documents);
        double matching = Math.clamp((double) documentsByTerm.get(term), 1.0, total);
        return Math.log(1 + (total - matching + 0.5) / (matching + 0.5));
    }

    @Override
    public String toString() {
        return "%d documents, %.3f words each, terms in %s"
                .formatted(documents, averageLength, documentsByTerm);
    }
}
