package org.crabro.client.bench;

/**
 * The counts of a run so far.
 *
 * @param answers of counted requests
 * @param failures those of them that failed
 */
public record LoadProgress(long answers, long failures) {}
