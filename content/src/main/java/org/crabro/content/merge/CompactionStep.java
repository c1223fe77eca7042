package org.crabro.content.merge;

/**
 * What a step of merging did.
 *
 * @param runs how many files were merged, or a part of them
 * @param bytesRead the length of their blocks
 * @param bytesWritten the length of the file that came of it; 0 where no row was left
 * @param rowsDropped rows that were replaced, and tombstones that were old enough
 */
public record CompactionStep(int runs, long bytesRead, long bytesWritten, long rowsDropped) {}
