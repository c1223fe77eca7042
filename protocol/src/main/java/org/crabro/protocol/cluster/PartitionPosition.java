package org.crabro.protocol.cluster;

/**
 * A position in the log of a partition. Every reply to a write contains one, and a read may require
 * a node that has reached a position.
 *
 * @param partition from 0
 * @param position rises with every write of the partition; only its order is defined
 */
public record PartitionPosition(int partition, long position) {}
