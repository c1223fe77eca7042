package org.crabro.content.partition;

/**
 * How far a partition's log had come.
 *
 * @param position the journal position up to which everything is in runs
 * @param timestamp the highest timestamp up to there, microseconds since the epoch
 */
public record BackupMoment(long position, long timestamp) {}
