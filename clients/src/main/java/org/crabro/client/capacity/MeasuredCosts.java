package org.crabro.client.capacity;

/**
 * The constants of the model. The page {@code docs/capacity.md} names the command that measured
 * each one.
 *
 * @param query the processor and the time of a query without documents
 * @param scan the rates of a scan
 * @param store the memory and the disk of a stored document
 */
record MeasuredCosts(Query query, Scan scan, Store store) {
    private static final double GIB = 1 << 30;

    /** The constants of the newest release. */
    static final MeasuredCosts CURRENT =
            new MeasuredCosts(
                    new Query(0.000_2, 0.012),
                    new Scan(20e9, 1.4e9, 0.5e9),
                    new Store(1.03, 0.26, 4 * GIB, 1.5 * GIB, 0.8));

    /**
     * A query.
     *
     * @param cpuSeconds the processor seconds of a query over an empty user
     * @param coldSeconds the time of a query whose documents are on disk, besides their bytes
     */
    record Query(double cpuSeconds, double coldSeconds) {}

    /**
     * A scan.
     *
     * @param cachedBytesPerCpuSecond bytes in the page cache for each processor second
     * @param diskBytesPerCpuSecond bytes on disk for each processor second
     * @param coldBytesPerSecond bytes on disk that one query alone scans in a second
     */
    record Scan(
            double cachedBytesPerCpuSecond,
            double diskBytesPerCpuSecond,
            double coldBytesPerSecond) {}

    /**
     * Stored documents.
     *
     * @param diskFactor bytes on disk for each byte of a document, after merges
     * @param heapBytesPerDoc heap of a stored document
     * @param maxHeapBytes the largest heap that the launcher gives to a server
     * @param otherBytes the memory of a server besides its heap
     * @param diskShare the used share of the disk above which puts are rejected
     */
    record Store(
            double diskFactor,
            double heapBytesPerDoc,
            double maxHeapBytes,
            double otherBytes,
            double diskShare) {}
}
