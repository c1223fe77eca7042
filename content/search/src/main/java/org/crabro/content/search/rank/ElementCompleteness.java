package org.crabro.content.search.rank;

import java.util.Arrays;
import org.crabro.ranking.type.FieldFeature;

/**
 * The feature {@code elementCompleteness}: how completely terms and one element cover each other,
 * for the element with the best weighted result.
 */
record ElementCompleteness(String field) implements RowFeature {
    @Override
    public int outputCount() {
        return FieldFeature.ELEMENT_COMPLETENESS.outputs().size();
    }

    @Override
    public Computation computation(DocumentTerms terms) {
        RankedTerms ranked = terms.ranked();
        FieldTerms fieldTerms = terms.field(field);
        double importance =
                ranked.property(
                        "elementCompleteness(" + field + ").fieldCompletenessImportance", 0.5);
        double weights = 0;
        for (int i = 0; i < fieldTerms.count(); i++) {
            weights += ranked.weight(fieldTerms.term(i));
        }
        double allWeights = weights;
        int[] next = new int[fieldTerms.count()];
        return (row, outputs) -> {
            fieldTerms.go(row);
            Arrays.fill(next, 0);
            Arrays.fill(outputs, 0);
            double best = 0;
            for (int element = 0; element < fieldTerms.elementCount(); element++) {
                int matched = 0;
                double weight = 0;
                for (int i = 0; i < fieldTerms.count(); i++) {
                    int before = next[i];
                    next[i] = behind(fieldTerms, i, before, element);
                    if (next[i] > before) {
                        matched++;
                        weight += ranked.weight(fieldTerms.term(i));
                    }
                }
                int length = Math.max(1, fieldTerms.elementLength(element));
                double ofField = Math.min(length, matched) / (double) length;
                double ofQuery = allWeights > 0 ? weight / allWeights : 0;
                double completeness = ofField * importance + ofQuery * (1 - importance);
                double elementWeight = fieldTerms.elementWeight(element);
                if (matched > 0 && completeness * elementWeight > best) {
                    best = completeness * elementWeight;
                    outputs[0] = completeness;
                    outputs[1] = ofField;
                    outputs[2] = ofQuery;
                    outputs[3] = elementWeight;
                }
            }
        };
    }

    /**
     * Returns the index, from {@code from} on, of the first occurrence of a term after an element.
     */
    private static int behind(FieldTerms fieldTerms, int term, int from, int element) {
        int at = from;
        while (at < fieldTerms.occurrences(term) && fieldTerms.element(term, at) == element) {
            at++;
        }
        return at;
    }
}
