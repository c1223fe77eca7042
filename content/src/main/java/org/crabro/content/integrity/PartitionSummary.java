package org.crabro.content.integrity;

/**
 * What a partition's log holds.
 *
 * @param partition its number
 * @param runs files that its manifest names
 * @param tiers the runs' places from old to young, shared by runs of disjoint keys
 * @param merges of tiers that go on
 * @param bytes of all runs
 * @param edits of the manifest
 * @param covered the journal position up to which everything is in runs
 * @param lastTimestamp the highest timestamp up to there, microseconds since the epoch
 * @param unnamed files that the manifest does not name: a start deletes them
 */
public record PartitionSummary(
        int partition,
        int runs,
        int tiers,
        int merges,
        long bytes,
        long edits,
        long covered,
        long lastTimestamp,
        int unnamed) {}
