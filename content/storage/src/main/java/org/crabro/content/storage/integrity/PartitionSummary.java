package org.crabro.content.storage.integrity;

/**
 * Summary of a partition.
 *
 * @param partition the number of the partition
 * @param runs the runs that its manifest lists
 * @param edits the number of edits in the manifest
 * @param covered the writes that are in runs
 * @param unnamed the number of run files that the manifest does not list. A start moves them away
 */
public record PartitionSummary(int partition, Runs runs, long edits, Covered covered, int unnamed) {
    /**
     * The runs that a manifest lists.
     *
     * @param count the number of runs
     * @param tiers the number of tiers. Runs of disjoint keys can share a tier
     * @param merges the number of unfinished merges of tiers
     * @param bytes the length of all run files
     */
    public record Runs(int count, int tiers, int merges, long bytes) {}

    /**
     * The writes that are in runs.
     *
     * @param position all writes up to this journal position are in runs
     * @param timestamp the highest timestamp of these writes, microseconds since the epoch
     */
    public record Covered(long position, long timestamp) {}
}
