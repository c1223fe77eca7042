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
        FieldTerms found = terms.field(field);
        int index = found.index(term);
        return (row, outputs) -> {
            found.go(row);
            boolean isFound = index >= 0 && found.isFound(index);
            int count = isFound ? found.occurrences(index) : 0;
            outputs[FieldTermOutput.MATCHES.place()] = isFound ? 1 : 0;
            outputs[FieldTermOutput.FIRST_POSITION.place()] =
                    count == 0 ? NO_POSITION : found.position(index, 0);
            outputs[FieldTermOutput.LAST_POSITION.place()] =
                    count == 0 ? NO_POSITION : found.position(index, count - 1);
            outputs[FieldTermOutput.OCCURRENCES.place()] = isFound ? Math.max(1, count) : 0;
            double weight = count == 0 && isFound ? found.weight(index) : 0;
            for (int i = 0; i < count; i++) {
                weight += found.weight(index, i);
            }
            outputs[FieldTermOutput.WEIGHT.place()] = weight;
            outputs[FieldTermOutput.EXACTNESS.place()] = isFound ? 1 : 0;
        };
    }
}
