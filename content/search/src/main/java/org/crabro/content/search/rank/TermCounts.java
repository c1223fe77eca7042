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
        FieldTerms fieldTerms = terms.field(field);
        return switch (feature) {
            case FIELD_LENGTH ->
                    (row, outputs) -> {
                        fieldTerms.go(row);
                        boolean hasFrequency =
                                fieldTerms.matchedCount() > 0 && !fieldTerms.isFilter();
                        outputs[0] = hasFrequency ? length(fieldTerms) : UNKNOWN_LENGTH;
                    };
            case MATCH_COUNT ->
                    (row, outputs) -> {
                        fieldTerms.go(row);
                        outputs[0] = fieldTerms.matchedCount();
                    };
            case RAW_SCORE ->
                    (row, outputs) -> {
                        fieldTerms.go(row);
                        outputs[0] = 0;
                        for (int i = 0; i < fieldTerms.count(); i++) {
                            outputs[0] += fieldTerms.rawScore(i);
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
    private static double length(FieldTerms fieldTerms) {
        return Math.max(1, fieldTerms.length());
    }
}
