package org.crabro.protocol.grouping;

/**
 * The name of a list of groups.
 *
 * @param text the name in the result
 * @param tag the number of the list among all lists of a request, from 2
 */
public record ListLabel(String text, int tag) {}
