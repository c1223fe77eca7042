package org.crabro.protocol.grouping;

/**
 * How many groups and hits a grouping shows.
 *
 * @param defaultMaxGroups of a list that says nothing, or {@link GroupingOperation#UNLIMITED}
 * @param defaultMaxHits of a list of hits that says nothing, or {@link GroupingOperation#UNLIMITED}
 * @param globalMaxGroups of all lists together, or {@link GroupingOperation#UNLIMITED}
 */
public record GroupingLimits(int defaultMaxGroups, int defaultMaxHits, int globalMaxGroups) {
    public static final GroupingLimits DEFAULT = new GroupingLimits(10, 10, 10_000);
}
