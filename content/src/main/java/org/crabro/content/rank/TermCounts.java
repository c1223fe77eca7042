package org.crabro.content.rank;

import org.crabro.ranking.type.FieldFeature;

/** Features that count what terms find in a field, or add it up. */
record TermCounts(FieldFeature feature, String field) implements RowFeature {
    /** How long a field is in which no term is found. */
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
                        outputs[0] = found.foundCount() > 0 ? length(found) : UNKNOWN_LENGTH;
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

    /** What is no text is as long as one word. */
    private static double length(FieldTerms found) {
        return Math.max(1, found.length());
    }
}
