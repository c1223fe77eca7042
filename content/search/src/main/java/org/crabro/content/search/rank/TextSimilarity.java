package org.crabro.content.search.rank;

import java.util.Arrays;
import org.crabro.ranking.type.FieldFeature;

/**
 * The feature {@code textSimilarity}: how similar a text and the query are in their words, the
 * order of the words and their proximity.
 */
record TextSimilarity(String field) implements RowFeature {
    @Override
    public int outputCount() {
        return FieldFeature.TEXT_SIMILARITY.outputs().size();
    }

    @Override
    public Computation computation(DocumentTerms terms) {
        var element = new ElementScores(terms.ranked(), terms.field(field));
        return (row, outputs) -> {
            element.go(row);
            Arrays.fill(outputs, 0);
            if (element.elementCount() > 0 && element.measure(0)) {
                outputs[1] = element.proximity();
                outputs[2] = element.order();
                outputs[3] = element.queryCoverage();
                outputs[4] = element.fieldCoverage();
                outputs[0] =
                        0.35 * outputs[1]
                                + 0.15 * outputs[2]
                                + 0.30 * outputs[3]
                                + 0.20 * outputs[4];
            }
        };
    }
}
