package org.crabro.content.storage.merge;

/**
 * The result of one step of a merge.
 *
 * @param runs the number of files that were merged, entirely or in part
 * @param bytesRead the size of their blocks
 * @param bytesWritten the size of the new file; 0 if no row was left
 * @param rowsDropped replaced rows, and tombstones that were old enough
 */
public record CompactionStep(int runs, long bytesRead, long bytesWritten, long rowsDropped) {}
