package org.crabro.protocol.grouping;

/**
 * A list of the documents of a group.
 *
 * @param label what the list is called
 * @param tag the number of the list among all that the request makes
 * @param max how many are shown, or {@link GroupingOperation#UNLIMITED}
 * @param summary the document summary; empty for the request's own
 */
public record HitsPlan(String label, int tag, int max, String summary) {}
