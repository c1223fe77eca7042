package org.crabro.protocol.search;

/**
 * The work of a condition.
 *
 * @param candidates the number of rows that it tested
 * @param matches the number of these that match
 * @param expected the number of these that were expected to match, from dictionaries and bounds
 * @param skippedBlocks the number of blocks that it excluded before their rows were tested
 * @param nanos the time of all threads together, with that of nested conditions
 */
public record PlanCounts(
        long candidates, long matches, long expected, long skippedBlocks, long nanos) {}
