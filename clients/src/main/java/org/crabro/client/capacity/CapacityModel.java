package org.crabro.client.capacity;

import java.util.List;
import java.util.function.LongPredicate;
import org.crabro.client.capacity.CapacityPlan.Limit;

/**
 * Computes the hosts for a need from measured costs.
 *
 * <p>A query scans all documents of its user on one host. Copies of a document are on different
 * hosts, and one of them is searched. Queries of active users are equally frequent, so the share of
 * cached queries is the page cache over the bytes of active users.
 */
final class CapacityModel {
    /** The largest number of hosts that is computed. */
    static final long MAX_HOSTS = 1_000_000;

    /** The share of the memory that the heap of a server takes, as the launcher computes it. */
    private static final double HEAP_SHARE = 0.25;

    /** The share of the heap that may be taken by what is kept for each document. */
    private static final double DOCUMENTS_SHARE_OF_HEAP = 0.25;

    private final CapacityNeed need;
    private final HostShape host;
    private final MeasuredCosts costs;

    CapacityModel(CapacityNeed need, HostShape host, MeasuredCosts costs) {
        this.need = need;
        this.host = host;
        this.costs = costs;
    }

    /**
     * Returns the smallest plan.
     *
     * @throws IllegalArgumentException if the memory of a host is too small for a server, or more
     *     than {@link #MAX_HOSTS} hosts are necessary
     */
    CapacityPlan plan() {
        if (host.memoryBytes() < processMemory()) {
            throw new IllegalArgumentException(
                    "a server needs %.1f GiB of memory, and a host has %.1f GiB"
                            .formatted(gib(processMemory()), gib(host.memoryBytes())));
        }
        List<Limit> limits =
                List.of(
                        new Limit("copies", need.copies()),
                        limit("disk space", hosts -> disk(hosts) <= usableDisk()),
                        limit("memory for documents", hosts -> documentHeap(hosts) <= maxHeap()),
                        limit("disk reads", hosts -> readShare(hosts) <= host.utilization()),
                        limit("processor", hosts -> cpuShare(hosts) <= host.utilization()));
        long hosts = limits.stream().mapToLong(Limit::hosts).max().orElseThrow();
        return new CapacityPlan(
                hosts,
                limits,
                new CapacityPlan.Load(
                        documents(hosts),
                        disk(hosts),
                        processMemory(),
                        cache(),
                        cpuShare(hosts),
                        readShare(hosts)),
                queries(hosts));
    }

    private CapacityPlan.Queries queries(long hosts) {
        double busiest = Math.max(cpuShare(hosts), readShare(hosts));
        double bytes = need.bytesPerQuery();
        double coldRate = Math.min(costs.scan().coldBytesPerSecond(), host.diskBytesPerSecond());
        return new CapacityPlan.Queries(
                cachedShare(hosts),
                need.queriesPerSecond() * host.utilization() / busiest,
                costs.query().cpuSeconds() + bytes / costs.scan().cachedBytesPerCpuSecond(),
                costs.query().coldSeconds() + bytes / coldRate);
    }

    /** Returns the smallest number of hosts for which a condition holds that more hosts keep. */
    private static Limit limit(String resource, LongPredicate holds) {
        if (!holds.test(MAX_HOSTS)) {
            throw new IllegalArgumentException(
                    "%s: more than %,d hosts".formatted(resource, MAX_HOSTS));
        }
        long low = 1;
        long high = MAX_HOSTS;
        while (low < high) {
            long middle = (low + high) / 2;
            if (holds.test(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return new Limit(resource, low);
    }

    private double documents(long hosts) {
        return need.documents() * need.copies() / hosts;
    }

    private double disk(long hosts) {
        return documents(hosts) * need.bytesPerDoc() * costs.store().diskFactor();
    }

    private double usableDisk() {
        return host.diskBytes() * costs.store().diskShare();
    }

    private double heap() {
        return Math.min(costs.store().maxHeapBytes(), host.memoryBytes() * HEAP_SHARE);
    }

    private double maxHeap() {
        return heap() * DOCUMENTS_SHARE_OF_HEAP;
    }

    private double documentHeap(long hosts) {
        return documents(hosts) * costs.store().heapBytesPerDoc();
    }

    private double processMemory() {
        return heap() + costs.store().otherBytes();
    }

    private double cache() {
        return host.memoryBytes() - processMemory();
    }

    private double cachedShare(long hosts) {
        double active =
                need.documents()
                        * need.bytesPerDoc()
                        * costs.store().diskFactor()
                        * need.activeShare();
        return Math.min(1, cache() * hosts / active);
    }

    private double cpuShare(long hosts) {
        double cached = cachedShare(hosts);
        double scan =
                cached / costs.scan().cachedBytesPerCpuSecond()
                        + (1 - cached) / costs.scan().diskBytesPerCpuSecond();
        double seconds = costs.query().cpuSeconds() + need.bytesPerQuery() * scan;
        return need.queriesPerSecond() * seconds / hosts / host.cores();
    }

    private double readShare(long hosts) {
        double bytes =
                need.queriesPerSecond() * need.bytesPerQuery() * (1 - cachedShare(hosts)) / hosts;
        return bytes / host.diskBytesPerSecond();
    }

    private static double gib(double bytes) {
        return bytes / (1 << 30);
    }
}
