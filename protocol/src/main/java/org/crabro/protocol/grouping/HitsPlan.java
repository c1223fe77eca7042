package org.crabro.protocol.grouping;

/**
 * A list of hits of a group.
 *
 * @param label the name of the list in the result
 * @param tag the number of the list among all lists of the request
 * @param max the maximum number of returned hits, or {@link GroupingOperation#UNLIMITED}
 * @param summary the document summary; empty for that of the request
 */
public record HitsPlan(String label, int tag, int max, String summary) {}
