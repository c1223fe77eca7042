package org.crabro.content.search.rank;

import org.crabro.ranking.type.RankFeature.FieldTermOutput;

/** The match of one term in one field. */
record TermInField(String field, int term) implements RowFeature {
    private static final double NO_POSITION = 1_000_000;

    @Override
    public int outputCount() {
        return FieldTermOutput.values().length;
    }

    @Override
    public Computation computation(DocumentTerms terms) {
        FieldTerms fieldTerms = terms.field(field);
        int index = fieldTerms.index(term);
        return (row, outputs) -> {
            fieldTerms.go(row);
            boolean isMatched = index >= 0 && fieldTerms.isFound(index);
            int count = isMatched ? fieldTerms.occurrences(index) : 0;
            outputs[FieldTermOutput.MATCHES.place()] = isMatched ? 1 : 0;
            outputs[FieldTermOutput.FIRST_POSITION.place()] =
                    count == 0 ? NO_POSITION : fieldTerms.position(index, 0);
            outputs[FieldTermOutput.LAST_POSITION.place()] =
                    count == 0 ? NO_POSITION : fieldTerms.position(index, count - 1);
            outputs[FieldTermOutput.OCCURRENCES.place()] = isMatched ? Math.max(1, count) : 0;
            double weight = count == 0 && isMatched ? fieldTerms.weight(index) : 0;
            for (int i = 0; i < count; i++) {
                weight += fieldTerms.weight(index, i);
            }
            outputs[FieldTermOutput.WEIGHT.place()] = weight;
            outputs[FieldTermOutput.EXACTNESS.place()] = isMatched ? 1 : 0;
        };
    }
}
