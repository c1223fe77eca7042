package org.crabro.content.search.rank;

import org.crabro.ranking.type.FieldFeature;

/** Features that count or sum the matches of terms in a field. */
record TermCounts(FieldFeature feature, String field) implements RowFeature {
    /** The length of a field without a match, and of a filter. */
    private static final double UNKNOWN_LENGTH = 1_000_000;

    @Override
    public int outputCount() {
        return 1;
    }

    @Override
    public Computation computation(DocumentTerms terms) {
        FieldTerms found = terms.field(field);
        return switch (feature) {
            case FIELD_LENGTH ->
                    (row, outputs) -> {
                        found.go(row);
                        boolean isKnown = found.foundCount() > 0 && !found.isFilter();
                        outputs[0] = isKnown ? length(found) : UNKNOWN_LENGTH;
                    };
            case MATCH_COUNT ->
                    (row, outputs) -> {
                        found.go(row);
                        outputs[0] = found.foundCount();
                    };
            case RAW_SCORE ->
                    (row, outputs) -> {
                        found.go(row);
                        outputs[0] = 0;
                        for (int i = 0; i < found.count(); i++) {
                            outputs[0] += found.rawScore(i);
                        }
                    };
            case ATTRIBUTE_MATCH,
                    AVERAGE_FIELD_LENGTH,
                    ELEMENT_COMPLETENESS,
                    ELEMENT_SIMILARITY,
                    FIELD_MATCH,
                    TEXT_SIMILARITY ->
                    throw new IllegalStateException(feature + " is no count");
        };
    }

    /** A field without words has length 1. */
    private static double length(FieldTerms found) {
        return Math.max(1, found.length());
    }
}
