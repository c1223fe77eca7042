package org.crabro.content.rank;

import java.util.OptionalInt;

/** How far two terms stand from each other in a text, at the least. For one thread. */
final class TermDistances {
    /** What stands in no element with the other. */
    static final int FAR = 1_000_000;

    private final FieldTerms terms;
    private final OptionalInt elementGap;
    private int forward;
    private int forwardPosition;
    private int reverse;
    private int reversePosition;

    /**
     * @param elementGap how many words further apart an element and the next seem; nothing where
     *     they are never near each other
     */
    TermDistances(FieldTerms terms, OptionalInt elementGap) {
        this.terms = terms;
        this.elementGap = elementGap;
    }

    /**
     * Measures in the document that the terms are at.
     *
     * @param a the place of one term among those of the field
     * @param b that of the other
     */
    void measure(int a, int b) {
        measure(a, b, true);
        measure(b, a, false);
    }

    /**
     * The least distance from the end of {@code from} to a place of {@code to} behind it. For each
     * place the last one in front is the nearest.
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

    /** Returns how far the second term is behind the first. */
    int forward() {
        return forward;
    }

    /** Returns where the first term stands then. */
    int forwardPosition() {
        return forwardPosition;
    }

    /** Returns how far the first term is behind the second. */
    int reverse() {
        return reverse;
    }

    /** Returns where the second term stands then. */
    int reversePosition() {
        return reversePosition;
    }
}
