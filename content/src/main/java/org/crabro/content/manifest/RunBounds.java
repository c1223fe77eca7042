package org.crabro.content.manifest;

/**
 * The valid rows of a run from now on: rows with a place in a range.
 *
 * @param number of the run
 * @param lower the first place; order is unsigned
 * @param upper the last place
 */
public record RunBounds(long number, long lower, long upper) {}
