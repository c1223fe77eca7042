package org.crabro.content.search.rank;

import java.util.ArrayList;

/** The sum of the raw scores of the terms with a label, over all fields that they search. */
record LabelRawScore(String label) implements RowFeature {
    /** A term in one of its fields. */
    private record Place(FieldTerms terms, int index) {}

    @Override
    public int outputCount() {
        return 1;
    }

    @Override
    public Computation computation(DocumentTerms terms) {
        RankedTerms ranked = terms.ranked();
        var places = new ArrayList<Place>();
        for (String field : ranked.fields()) {
            FieldTerms fieldTerms = terms.field(field);
            for (int i = 0; i < fieldTerms.count(); i++) {
                if (ranked.label(fieldTerms.term(i)).equals(label)) {
                    places.add(new Place(fieldTerms, i));
                }
            }
        }
        return (row, outputs) -> {
            outputs[0] = 0;
            for (int i = 0; i < places.size(); i++) {
                Place place = places.get(i);
                place.terms.go(row);
                outputs[0] += place.terms.rawScore(place.index);
            }
        };
    }
}
