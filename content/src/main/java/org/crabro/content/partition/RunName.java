package org.crabro.content.partition;

/**
 * A run that a manifest names.
 *
 * @param file the path in the data directory
 * @param number of the run
 */
public record RunName(String file, long number) {}
