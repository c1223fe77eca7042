package org.crabro.content.search.rank;

import java.util.Optional;
import java.util.OptionalInt;
import org.crabro.content.search.match.Matcher;
import org.crabro.content.search.match.SectionWords;

/** A text field that ranked terms of the query search. Immutable. */
final class SearchedText {
    private final String field;
    private final int scanned;
    private final int[] patterns;
    private final OptionalInt elements;

    /**
     * @param scanned by {@link Matcher#textScan}
     * @param patterns one per term, in the order of the query
     * @param elements the number of the column whose elements are counted, if they are
     */
    private SearchedText(String field, int scanned, int[] patterns, OptionalInt elements) {
        this.elements = elements;
        this.field = field;
        this.scanned = scanned;
        this.patterns = patterns;
    }

    /** Returns a field without a count of elements; empty if no ranked term searches it. */
    static Optional<SearchedText> of(String field, Matcher matcher) {
        OptionalInt scanned = matcher.textScan(field);
        int[] patterns = matcher.textPatterns(field);
        return scanned.isEmpty() || patterns.length == 0
                ? Optional.empty()
                : Optional.of(
                        new SearchedText(field, scanned.getAsInt(), patterns, OptionalInt.empty()));
    }

    /** Returns the same field with the number of the column whose elements are counted. */
    SearchedText countingElements(int column) {
        return new SearchedText(field, scanned, patterns, OptionalInt.of(column));
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

    /** Returns whether the index of a section knows how often each term occurs in each row. */
    boolean isIn(SectionWords words) {
        if (!words.hasWords(scanned)) {
            return false;
        }
        for (int pattern : patterns) {
            if (words.word(scanned, pattern).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Returns the index of a term's pattern in the scan. */
    int pattern(int term) {
        return patterns[term];
    }
}
