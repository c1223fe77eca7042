package org.crabro.content.result;

/**
 * What searches read since the node was opened, and how they wait.
 *
 * @param deviceBytes bytes of pages that were asked for and not in memory
 * @param setAside how often a part of a run was left out because it could not be read
 * @param waiting searches that wait for others now
 * @param refused searches that were refused since too many waited
 * @param suspensions how often a search has let others go first
 */
public record SearchStatistics(
        long deviceBytes, long setAside, int waiting, long refused, long suspensions) {}
