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
        FieldTerms fieldTerms = terms.field(field);
        var distances = new TermDistances(fieldTerms, terms.ranked().elementGap(field));
        int a = fieldTerms.index(first);
        int b = fieldTerms.index(second);
        return (row, outputs) -> {
            fieldTerms.go(row);
            boolean hasBoth = a >= 0 && b >= 0;
            if (hasBoth) {
                distances.measure(a, b);
            }
            outputs[DistanceOutput.FORWARD.place()] =
                    hasBoth ? distances.forward() : TermDistances.FAR;
            outputs[DistanceOutput.FORWARD_TERM_POSITION.place()] =
                    hasBoth ? distances.forwardPosition() : TermDistances.FAR;
            outputs[DistanceOutput.REVERSE.place()] =
                    hasBoth ? distances.reverse() : TermDistances.FAR;
            outputs[DistanceOutput.REVERSE_TERM_POSITION.place()] =
                    hasBoth ? distances.reversePosition() : TermDistances.FAR;
        };
    }
}
