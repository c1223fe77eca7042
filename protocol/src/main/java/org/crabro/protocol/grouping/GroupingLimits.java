package org.crabro.protocol.grouping;

/**
 * Limits on the returned groups and hits of a grouping.
 *
 * @param defaultMaxGroups for a list without a limit, or {@link GroupingOperation#UNLIMITED}
 * @param defaultMaxHits for a list of hits without a limit, or {@link GroupingOperation#UNLIMITED}
 * @param globalMaxGroups of all lists together, or {@link GroupingOperation#UNLIMITED}
 */
public record GroupingLimits(int defaultMaxGroups, int defaultMaxHits, int globalMaxGroups) {
    public static final GroupingLimits DEFAULT = new GroupingLimits(10, 10, 10_000);
}
