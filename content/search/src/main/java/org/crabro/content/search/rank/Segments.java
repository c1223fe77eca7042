package org.crabro.content.search.rank;

import java.util.Arrays;

/** The measurements of one way to match terms in a field, in segments. Mutable; for one thread. */
final class Segments {
    /** The closeness by distance, from 10 words before to 10 words after. */
    private static final double[] CLOSENESS = {
        .01, .02, .03, .04, .06, .08, .12, .17, .24, .33, 1, .71, .50, .35, .25, .18, .13, .09, .06,
        .04, .03
    };

    /** The index of distance 0. */
    private static final int MIDDLE = 10;

    private static final double UNKNOWN_PROXIMITY = 0.1;

    int segments;
    int matches;
    int pairs;
    double proximity;
    double unweightedProximity;
    double weight;
    double significance;
    int outOfOrder;
    int gaps;
    int gapLength;
    int longestSequence;
    int head;
    int tail;
    private int sequence;
    private int[] starts = new int[8];

    Segments() {
        clear();
    }

    void clear() {
        segments = 0;
        matches = 0;
        pairs = 0;
        proximity = 0;
        unweightedProximity = 0;
        weight = 0;
        significance = 0;
        outOfOrder = 0;
        gaps = 0;
        gapLength = 0;
        longestSequence = 0;
        head = Integer.MAX_VALUE;
        tail = Integer.MAX_VALUE;
        sequence = 0;
    }

    void take(Segments that) {
        segments = that.segments;
        matches = that.matches;
        pairs = that.pairs;
        proximity = that.proximity;
        unweightedProximity = that.unweightedProximity;
        weight = that.weight;
        significance = that.significance;
        outOfOrder = that.outOfOrder;
        gaps = that.gaps;
        gapLength = that.gapLength;
        longestSequence = that.longestSequence;
        head = that.head;
        tail = that.tail;
        sequence = that.sequence;
        if (starts.length < segments) {
            starts = new int[that.starts.length];
        }
        System.arraycopy(that.starts, 0, starts, 0, segments);
    }

    /** Starts a segment at a word of the field. */
    void begin(int place) {
        if (segments == starts.length) {
            starts = Arrays.copyOf(starts, 2 * segments);
        }
        starts[segments++] = place;
        beginSequence(place);
    }

    /** Starts a sequence of words in the order of the query. */
    void beginSequence(int place) {
        sequence = 1;
        head = Math.min(head, place);
    }

    void goOn() {
        sequence++;
    }

    /**
     * @param place the position of the last word
     */
    void endSequence(int place, int length) {
        longestSequence = Math.max(longestSequence, sequence);
        tail = Math.min(tail, length - 1 - place);
        sequence = 0;
    }

    void match(double termWeight, double termSignificance) {
        matches++;
        weight += termWeight;
        significance += termSignificance;
    }

    /** Adds two terms of a segment, the second at {@code place}. */
    void pair(int before, int place, double connectedness) {
        int distance = place - before - 1;
        if (distance < 0) {
            distance++;
        }
        if (Math.abs(distance) <= MIDDLE) {
            double closeness = CLOSENESS[distance + MIDDLE];
            unweightedProximity += closeness;
            proximity +=
                    Math.pow(closeness, connectedness / RankedTerms.CONNECTEDNESS)
                            * Math.max(RankedTerms.CONNECTEDNESS, connectedness);
        }
        pairs++;
    }

    void gap(int before, int place) {
        gaps++;
        if (place > before) {
            gapLength += place - before - 1;
        } else {
            outOfOrder++;
            gapLength += before - place;
        }
    }

    double absoluteProximity() {
        return pairs > 0 ? proximity / pairs : UNKNOWN_PROXIMITY;
    }

    /** Returns the score by which segmentations are compared. */
    double score() {
        return segments == 0 ? 0 : absoluteProximity() / ((double) segments * segments);
    }

    /** Returns the sum of the distances between segments. */
    int segmentDistance() {
        int[] sorted = Arrays.copyOf(starts, segments);
        Arrays.sort(sorted);
        int sum = 0;
        for (int i = 1; i < segments; i++) {
            sum += sorted[i] - sorted[i - 1] + 1;
        }
        return sum;
    }
}
