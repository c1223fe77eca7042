package org.crabro.content.search.rank;

import org.crabro.ranking.type.RankFeature.FieldInfoOutput;

/** The kind of a field and the matches of terms in it. */
record FieldReport(String field) implements RowFeature {
    /** The value of lengths and positions if no term matches, and of those of a filter. */
    private static final double UNKNOWN = 1_000_000;

    @Override
    public int outputCount() {
        return FieldInfoOutput.values().length;
    }

    @Override
    public Computation computation(DocumentTerms terms) {
        FieldTerms fieldTerms = terms.field(field);
        double type = terms.ranked().isIndexed(field) ? 1 : 2;
        double filter = terms.ranked().ranking(field).filter().orElse(false) ? 1 : 0;
        double search = fieldTerms.count() > 0 ? 1 : 0;
        return (row, outputs) -> {
            fieldTerms.go(row);
            outputs[FieldInfoOutput.TYPE.place()] = type;
            outputs[FieldInfoOutput.FILTER.place()] = filter;
            outputs[FieldInfoOutput.SEARCH.place()] = search;
            boolean isHit = fieldTerms.matchedCount() > 0;
            double first = UNKNOWN;
            double last = -1;
            double count = 0;
            for (int i = 0; i < fieldTerms.count(); i++) {
                int occurrences = fieldTerms.occurrences(i);
                for (int at = 0; at < occurrences; at++) {
                    first = Math.min(first, fieldTerms.position(i, at));
                    last = Math.max(last, fieldTerms.position(i, at));
                }
                count += fieldTerms.isFound(i) ? Math.max(1, occurrences) : 0;
            }
            outputs[FieldInfoOutput.HIT.place()] = isHit ? 1 : 0;
            boolean isLengthKnown = isHit && !fieldTerms.isFilter();
            outputs[FieldInfoOutput.LEN.place()] =
                    isLengthKnown ? Math.max(1, fieldTerms.length()) : UNKNOWN;
            outputs[FieldInfoOutput.FIRST.place()] = first;
            outputs[FieldInfoOutput.LAST.place()] = last < 0 ? UNKNOWN : last;
            outputs[FieldInfoOutput.CNT.place()] = count;
        };
    }
}
