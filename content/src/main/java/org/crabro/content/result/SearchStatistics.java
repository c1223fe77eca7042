package org.crabro.content.result;

/**
 * What searches read since the node was opened.
 *
 * @param deviceBytes bytes of pages that were asked for and not in memory
 * @param setAside how often a part of a run was left out because it could not be read
 */
public record SearchStatistics(long deviceBytes, long setAside) {}
