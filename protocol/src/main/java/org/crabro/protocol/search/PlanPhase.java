package org.crabro.protocol.search;

/**
 * A phase of a search.
 *
 * @param name in lower case, with hyphens
 * @param nanos the elapsed time
 */
public record PlanPhase(String name, long nanos) {}
