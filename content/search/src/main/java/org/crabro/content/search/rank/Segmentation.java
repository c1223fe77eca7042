package org.crabro.content.search.rank;

import org.crabro.content.storage.file.WorkMeter;

/**
 * Searches the best way to match the query's terms in a field as a sequence of segments. For each
 * point in the query where a segment may start, it stores the best way to that point and extends
 * it. For one thread.
 */
final class Segmentation {
    /** Words at this distance or farther belong to different segments. */
    private static final int LIMIT = 10;

    private final SplitTerms terms;
    private final int alternativesMax;
    private final WorkMeter work;
    private final Start[] starts;
    private final Segments current = new Segments();
    private int length;

    /** A point between terms of the query at which a segment may start. */
    private static final class Start {
        final Segments best = new Segments();
        boolean isKnown;
        boolean isOpen;

        /** The next term. */
        int term;

        /** The position of the previous term. */
        int place;

        /** The distance from that position up to which the next term was searched. */
        int explored;
    }

    /**
     * @param alternativesMax how often a start is tried again
     * @param work counts the compared positions
     */
    Segmentation(SplitTerms terms, int alternativesMax, WorkMeter work) {
        this.terms = terms;
        this.alternativesMax = alternativesMax;
        this.work = work;
        this.starts = new Start[terms.count() + 1];
        for (int i = 0; i < starts.length; i++) {
            starts[i] = new Start();
        }
    }

    /** Returns the best segmentation of the current document. */
    Segments best() {
        length = terms.length();
        for (Start start : starts) {
            start.isKnown = false;
        }
        current.clear();
        open(starts[0], 0, 0);
        int alternatives = 0;
        int at = 0;
        while (at < terms.count()) {
            Start start = starts[at];
            if (!start.isKnown || !start.isOpen) {
                at++;
                continue;
            }
            if (start.explored > 0 && ++alternatives > alternativesMax) {
                at++;
                continue;
            }
            current.take(start.best);
            start.isOpen = explore(start);
        }
        int last = starts.length - 1;
        while (!starts[last].isKnown) {
            last--;
        }
        return starts[last].best;
    }

    private void open(Start start, int term, int place) {
        start.isKnown = true;
        start.isOpen = true;
        start.term = term;
        start.place = place;
        start.explored = 0;
        start.best.take(current);
    }

    /** Tries one more way from a start and returns whether there was one. */
    private boolean explore(Start start) {
        int explored = start.explored;
        int before = start.place;
        int termBefore = -1;
        boolean isFirst = true;
        boolean inSequence = false;
        for (int term = start.term; term < terms.count(); term++) {
            int distance = closest(term, before, explored);
            int place = distance < 0 ? -1 : placeAt(distance, before);
            if (place < 0 && isFirst && explored > 0) {
                return false;
            }
            if (inSequence && place != before + 1) {
                current.endSequence(before, length);
                inSequence = false;
            }
            if (place < 0) {
                if (isFirst) {
                    start.term++;
                }
                explored = 0;
                continue;
            }
            if (isFirst) {
                start.explored = distance + 1;
                current.begin(place);
                isFirst = false;
                inSequence = true;
            } else if (Math.abs(place - before) >= LIMIT) {
                offer(term, before);
                return true;
            } else {
                current.pair(before, place, terms.connectedness(term));
                if (place == before + 1 && term == termBefore + 1) {
                    current.goOn();
                } else {
                    current.gap(before, place);
                }
                if (!inSequence) {
                    current.beginSequence(place);
                    inSequence = true;
                }
            }
            current.match(terms.weight(term), terms.significance(term));
            termBefore = term;
            before = place;
            explored = 1;
        }
        if (inSequence) {
            current.endSequence(before, length);
        }
        offer(terms.count(), before);
        return !isFirst;
    }

    private void offer(int term, int place) {
        Start start = starts[term];
        if (!start.isKnown) {
            open(start, term, place);
        } else if (current.score() > start.best.score()) {
            start.best.take(current);
            start.place = place;
        }
    }

    /**
     * Returns the distance of a term from {@code zero} in the order of the search, if it is {@code
     * least} or more; -1 if there is no such occurrence.
     */
    private int closest(int term, int zero, int least) {
        int best = Integer.MAX_VALUE;
        work.spend(1 + terms.occurrences(term));
        for (int i = 0; i < terms.occurrences(term); i++) {
            int distance = distance(terms.place(term, i), zero);
            if (distance >= least && distance < best) {
                best = distance;
            }
        }
        return best == Integer.MAX_VALUE ? -1 : best;
    }

    /**
     * Converts a position to the order of the search: up to {@value #LIMIT} positions to the right,
     * up to {@value #LIMIT} to the left, then the rest to the right and to the left.
     */
    private int distance(int place, int zero) {
        int right = Math.min(LIMIT, length - zero);
        int left = Math.min(LIMIT, zero);
        if (place >= zero) {
            return place - zero < right ? place - zero : place - zero + left;
        }
        int back = zero - place - 1;
        return back < left ? back + right : back + length - zero;
    }

    private int placeAt(int distance, int zero) {
        int right = Math.min(LIMIT, length - zero);
        int left = Math.min(LIMIT, zero);
        if (distance < right) {
            return zero + distance;
        }
        if (distance < right + left) {
            return zero - (distance - right) - 1;
        }
        return distance < length - zero + left ? zero + distance - left : length - distance - 1;
    }
}
