package org.crabro.client.capacity;

import java.util.Comparator;
import java.util.List;

/**
 * The hosts that a need takes.
 *
 * @param hosts the number of hosts
 * @param limits the number of hosts that each resource alone takes
 * @param each the load of each host
 * @param queries the queries that the hosts serve
 */
record CapacityPlan(long hosts, List<Limit> limits, Load each, Queries queries) {
    /**
     * A resource.
     *
     * @param resource its name
     * @param hosts the number of hosts that it takes without the other limits
     */
    record Limit(String resource, long hosts) {}

    /**
     * The load of a host.
     *
     * @param documents the stored documents, including copies
     * @param diskBytes the bytes on disk
     * @param processMemoryBytes the memory of the server
     * @param cacheBytes the memory that is left to the page cache
     * @param cpuShare the used share of the processor
     * @param readShare the used share of the read rate of the disk
     */
    record Load(
            double documents,
            double diskBytes,
            double processMemoryBytes,
            double cacheBytes,
            double cpuShare,
            double readShare) {}

    /**
     * Queries.
     *
     * @param cachedShare the share of queries whose documents are in the page cache
     * @param maxPerSecond the highest rate of the hosts at the planned utilization
     * @param cachedSeconds the time of a lone query whose documents are in the page cache
     * @param coldSeconds the time of a lone query whose documents are on disk
     */
    record Queries(
            double cachedShare, double maxPerSecond, double cachedSeconds, double coldSeconds) {}

    /** Returns the resource that takes the most hosts. */
    Limit binding() {
        return limits.stream().max(Comparator.comparingLong(Limit::hosts)).orElseThrow();
    }
}
