package org.crabro.content.search.group;

/**
 * A document of a group that may be returned.
 *
 * @param slice the index of its slice
 * @param summary the document summary; empty for that of the request
 */
public record RowHit(int slice, int row, double score, String summary) {}
