package org.crabro.content.search.match;

import org.crabro.document.Field;

/**
 * How many of the matches that a limit keeps may have the same value of an attribute.
 *
 * @param attribute a field with a single value
 * @param minGroups the number of values that the matches have at least, if there are as many
 * @param cutoffFactor after this many times as many values, others are treated as {@code isStrict}
 *     says
 * @param isStrict whether matches with other values are left out; otherwise all of them are kept
 */
public record MatchDiversity(
        Field attribute, int minGroups, double cutoffFactor, boolean isStrict) {
    /** Returns how many matches may have the same value. */
    int groupMax(int maxHits) {
        return Math.max(1, maxHits / minGroups);
    }

    /** Returns how many values there are before the cutoff. */
    long groupsBeforeCutoff() {
        return Math.max(1, (long) (cutoffFactor * minGroups));
    }
}
