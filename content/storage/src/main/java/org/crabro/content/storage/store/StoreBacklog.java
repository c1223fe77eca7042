package org.crabro.content.storage.store;

/**
 * The flushes and merges that a store has not done yet.
 *
 * @param recentBytes memory of rows that are in no run
 * @param unmergedPartitions partitions in which a merge is due or runs
 */
public record StoreBacklog(long recentBytes, int unmergedPartitions) {}
