package org.crabro.content.storage.partition;

/**
 * A run in a manifest.
 *
 * @param file the path in the data directory
 * @param number of the run
 */
public record RunName(String file, long number) {}
