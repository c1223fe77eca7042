package org.crabro.content.recent;

/**
 * How much a store did since it was opened, and holds.
 *
 * @param documents about how many there are: one that was written or removed since its partition
 *     was flushed counts once more
 * @param stored writes that were acknowledged
 * @param forces how often the journal was forced for them
 * @param waiting writes that wait for the journal
 * @param journalBytes of the journal that are not released
 * @param recentBytes what rows in no run cost in memory, about
 * @param flushes how often a partition was flushed
 * @param runs files that hold documents
 * @param openViews views that a reader has not closed yet
 */
public record ContentStatistics(
        long documents,
        long stored,
        long forces,
        int waiting,
        long journalBytes,
        long recentBytes,
        long flushes,
        long runs,
        int openViews) {}
