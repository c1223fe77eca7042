package org.crabro.content.rank;

import java.util.OptionalInt;

/** A text field that ranked terms of the query search. Immutable. */
final class SearchedText {
    private final String field;
    private final int scanned;
    private final int[] patterns;
    private final OptionalInt elements;

    /**
     * @param scanned by {@link org.crabro.content.match.Matcher#textScan}
     * @param patterns one per term, in the order of the query
     * @param elements the number of the column whose elements are counted, if they are
     */
    SearchedText(String field, int scanned, int[] patterns, OptionalInt elements) {
        this.elements = elements;
        this.field = field;
        this.scanned = scanned;
        this.patterns = patterns;
    }

    String field() {
        return field;
    }

    int scanned() {
        return scanned;
    }

    OptionalInt elements() {
        return elements;
    }

    int termCount() {
        return patterns.length;
    }

    /** Returns the index of a term's pattern in the scan. */
    int pattern(int term) {
        return patterns[term];
    }
}
