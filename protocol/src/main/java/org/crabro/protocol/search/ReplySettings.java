package org.crabro.protocol.search;

/**
 * How a search replies.
 *
 * @param softTimeout whether a partial result is a valid reply when the time runs out
 * @param traceLevel 0 for no trace
 */
public record ReplySettings(boolean softTimeout, int traceLevel) {}
