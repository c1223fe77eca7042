package org.crabro.content.search.rank;

import java.util.Arrays;

/** Sums over the terms of one element of a field. For one thread. */
final class ElementScores {
    /** The largest distance in words that contributes to closeness. */
    private static final int FAR = 8;

    private final RankedTerms ranked;
    private final FieldTerms terms;
    private final int[] next;
    private final double allWeights;
    private double proximity;
    private double order;
    private double queryCoverage;
    private double fieldCoverage;
    private int matched;

    ElementScores(RankedTerms ranked, FieldTerms terms) {
        this.ranked = ranked;
        this.terms = terms;
        this.next = new int[terms.count()];
        double weights = 0;
        for (int i = 0; i < terms.count(); i++) {
            weights += ranked.weight(terms.term(i));
        }
        this.allWeights = weights;
    }

    /** Moves to a row of the open slice, before its first element. */
    void go(int row) {
        terms.go(row);
        Arrays.fill(next, 0);
    }

    /**
     * Measures an element. Elements must be measured in rising order. Words are read in the order
     * of the text; each term is used once.
     *
     * @return whether any term occurs in the element
     */
    boolean measure(int element) {
        matched = 0;
        double near = 0;
        double inOrder = 0;
        double weight = 0;
        int lastPlace = -1;
        int lastTerm = -1;
        while (true) {
            int term = first(element);
            if (term < 0) {
                break;
            }
            int place = terms.position(term, next[term]);
            if (matched > 0 && place <= lastPlace) {
                next[term]++;
                continue;
            }
            if (matched > 0) {
                near += closeness(place - lastPlace);
                inOrder += term > lastTerm ? 1 : 0;
            }
            matched++;
            weight += ranked.weight(terms.term(term));
            lastPlace = place;
            lastTerm = term;
            // Each term is used once per element.
            skip(term, element);
        }
        if (matched == 0) {
            return false;
        }
        int length = Math.max(terms.elementLength(element), matched);
        proximity = matched < 2 ? closeness(length) : near / (matched - 1);
        order = matched < 2 ? 1 : inOrder / (matched - 1);
        queryCoverage = allWeights > 0 ? weight / allWeights : 0;
        fieldCoverage = (double) matched / length;
        return true;
    }

    /** Returns the term with the earliest next occurrence in the element; -1 if there is none. */
    private int first(int element) {
        int best = -1;
        int least = Integer.MAX_VALUE;
        for (int term = 0; term < terms.count(); term++) {
            while (next[term] < terms.occurrences(term)
                    && terms.element(term, next[term]) < element) {
                next[term]++;
            }
            if (next[term] < terms.occurrences(term)
                    && terms.element(term, next[term]) == element
                    && terms.position(term, next[term]) < least) {
                best = term;
                least = terms.position(term, next[term]);
            }
        }
        return best;
    }

    private void skip(int term, int element) {
        while (next[term] < terms.occurrences(term) && terms.element(term, next[term]) == element) {
            next[term]++;
        }
    }

    private static double closeness(int distance) {
        double share = (distance - 1) / (double) FAR;
        return distance > FAR ? 0 : 1 - share * share;
    }

    int elementCount() {
        return terms.elementCount();
    }

    int elementWeight(int element) {
        return terms.elementWeight(element);
    }

    double proximity() {
        return proximity;
    }

    double order() {
        return order;
    }

    /** Returns the weight of the matching terms divided by the weight of all terms. */
    double queryCoverage() {
        return queryCoverage;
    }

    double fieldCoverage() {
        return fieldCoverage;
    }
}
