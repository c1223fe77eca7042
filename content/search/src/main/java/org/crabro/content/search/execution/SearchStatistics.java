package org.crabro.content.search.execution;

/**
 * Statistics of all searches since the node was opened.
 *
 * @param deviceBytes the bytes of pages that were read from the disk
 * @param setAside how often a search left out a part of a run that could not be read
 * @param waiting how many searches wait for others now
 * @param refused how many searches were rejected because too many waited
 * @param suspensions how often a search was suspended for others
 */
public record SearchStatistics(
        long deviceBytes, long setAside, int waiting, long refused, long suspensions) {}
