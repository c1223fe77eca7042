package org.crabro.content.search.rank;

import java.util.OptionalInt;

/** The least distances between two terms in a text. For one thread. */
final class TermDistances {
    /** The distance if no element contains both terms. */
    static final int FAR = 1_000_000;

    private final FieldTerms terms;
    private final OptionalInt elementGap;
    private int forward;
    private int forwardPosition;
    private int reverse;
    private int reversePosition;

    /**
     * @param elementGap the number of words added to the distance between words of consecutive
     *     elements; empty if such words are never near each other
     */
    TermDistances(FieldTerms terms, OptionalInt elementGap) {
        this.terms = terms;
        this.elementGap = elementGap;
    }

    /**
     * Measures the distances in the current document of the terms.
     *
     * @param a the index of one term among those of the field
     * @param b the index of the other
     */
    void measure(int a, int b) {
        measure(a, b, true);
        measure(b, a, false);
    }

    /**
     * Computes the least distance from the end of {@code from} to a later occurrence of {@code to}.
     * For each occurrence of {@code to}, the last occurrence before it is the nearest.
     */
    private void measure(int from, int to, boolean isForward) {
        int best = FAR;
        int position = FAR;
        int at = 0;
        int count = terms.occurrences(from);
        int last = terms.wordCount(from) - 1;
        for (int i = 0; i < terms.occurrences(to); i++) {
            int element = terms.element(to, i);
            int place = terms.position(to, i);
            while (at < count && isBefore(from, at, element, place)) {
                at++;
            }
            if (at == 0) {
                continue;
            }
            int distance = distance(from, at - 1, element, place) - last;
            if (distance < best) {
                best = distance;
                position = terms.position(from, at - 1);
            }
        }
        if (isForward) {
            forward = best;
            forwardPosition = position;
        } else {
            reverse = best;
            reversePosition = position;
        }
    }

    private boolean isBefore(int term, int occurrence, int element, int place) {
        int own = terms.element(term, occurrence);
        return own < element || (own == element && terms.position(term, occurrence) < place);
    }

    private int distance(int term, int occurrence, int element, int place) {
        int own = terms.element(term, occurrence);
        int start = terms.position(term, occurrence);
        if (own == element) {
            return place - start;
        }
        return elementGap.isPresent() && own + 1 == element
                ? (int)
                        Math.min(
                                FAR,
                                terms.elementLength(own)
                                        + (long) elementGap.getAsInt()
                                        + place
                                        - start)
                : FAR;
    }

    /** Returns the least distance from the first term to a later second term. */
    int forward() {
        return forward;
    }

    /** Returns the position of the first term at that distance. */
    int forwardPosition() {
        return forwardPosition;
    }

    /** Returns the least distance from the second term to a later first term. */
    int reverse() {
        return reverse;
    }

    /** Returns the position of the second term at that distance. */
    int reversePosition() {
        return reversePosition;
    }
}
