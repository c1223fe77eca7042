package org.crabro.content.result;

/** How many threads a query gets. Pure functions: no clock, no thread. */
public final class ScanThreads {
    private ScanThreads() {}

    /**
     * Returns how many threads one of {@code inFlight} queries may use.
     *
     * @param cores processors of the node, at least 1
     * @param inFlight queries under way, this one included, at least 1
     * @param ceiling the most that one query ever gets, at least 1
     */
    public static int share(int cores, int inFlight, int ceiling) {
        return Math.clamp(cores / inFlight, 1, ceiling);
    }
}
