package org.crabro.perf.harness;

/**
 * One figure of one round.
 *
 * @param name of the measurement; the same text in each round
 * @param unit such as {@code GB/s}; empty for a ratio
 */
record Figure(String name, String unit, double value) {}
