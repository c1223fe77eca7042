package org.crabro.content.manifest;

/**
 * Which rows of a run count from now on: those with a place in between.
 *
 * @param number of the run
 * @param lower the first place; order is unsigned
 * @param upper the last place
 */
public record RunBounds(long number, long lower, long upper) {}
