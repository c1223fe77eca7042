package org.crabro.content.rank;

import java.util.Collections;
import java.util.List;

/**
 * How common words are, and how long a field is on the average.
 *
 * @param documents how many documents were counted
 * @param averageLength tokens of the field, over the documents in which it has any
 * @param averageElementLength tokens of the field, over its elements; where those are counted
 * @param documentsByTerm in how many documents each term was found in the field
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

    /** What is taken for {@code termCount} words where nothing is counted. */
    static TextStatistics constant(int termCount) {
        return new TextStatistics(
                1, CONSTANT_LENGTH, CONSTANT_LENGTH, Collections.nCopies(termCount, 0L));
    }

    /** Returns how much it says that a document has a term: the rarer, the more. */
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
