package org.crabro.client.capacity;

/**
 * A host.
 *
 * @param cores the number of processor cores
 * @param memoryBytes the memory
 * @param diskBytes the size of the disk
 * @param diskBytesPerSecond the rate of large direct reads
 * @param utilization the share of the processor and of the read rate that is planned for, above 0
 *     and at most 1
 */
record HostShape(
        int cores,
        double memoryBytes,
        double diskBytes,
        double diskBytesPerSecond,
        double utilization) {}
