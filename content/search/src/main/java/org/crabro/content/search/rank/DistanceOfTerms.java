package org.crabro.content.search.rank;

import org.crabro.ranking.type.RankFeature.DistanceOutput;

/** The least distance between two terms in a text. */
record DistanceOfTerms(String field, int first, int second) implements RowFeature {
    @Override
    public int outputCount() {
        return DistanceOutput.values().length;
    }

    @Override
    public Computation computation(DocumentTerms terms) {
        FieldTerms found = terms.field(field);
        var distances = new TermDistances(found, terms.ranked().elementGap(field));
        int a = found.index(first);
        int b = found.index(second);
        return (row, outputs) -> {
            found.go(row);
            boolean isKnown = a >= 0 && b >= 0;
            if (isKnown) {
                distances.measure(a, b);
            }
            outputs[DistanceOutput.FORWARD.place()] =
                    isKnown ? distances.forward() : TermDistances.FAR;
            outputs[DistanceOutput.FORWARD_TERM_POSITION.place()] =
                    isKnown ? distances.forwardPosition() : TermDistances.FAR;
            outputs[DistanceOutput.REVERSE.place()] =
                    isKnown ? distances.reverse() : TermDistances.FAR;
            outputs[DistanceOutput.REVERSE_TERM_POSITION.place()] =
                    isKnown ? distances.reversePosition() : TermDistances.FAR;
        };
    }
}
