package org.crabro.content.storage.partition;

/**
 * The progress of a partition's log at a moment.
 *
 * @param position the journal position up to which all rows are in runs
 * @param timestamp the highest timestamp up to there, microseconds since the epoch
 */
public record BackupMoment(long position, long timestamp) {}
