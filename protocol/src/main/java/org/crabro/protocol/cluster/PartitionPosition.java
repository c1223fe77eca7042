package org.crabro.protocol.cluster;

/**
 * How far a partition's log has come: every write answers with one, and a read may ask for a node
 * that has come at least as far.
 *
 * @param partition from 0
 * @param position rises with every write of the partition; only its order means something
 */
public record PartitionPosition(int partition, long position) {}
