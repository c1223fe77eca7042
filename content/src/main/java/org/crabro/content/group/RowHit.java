package org.crabro.content.group;

/**
 * A document of a group that may be shown.
 *
 * @param slice the index of its slice
 * @param summary the document summary; empty for the request's own
 */
public record RowHit(int slice, int row, double score, String summary) {}
