package org.crabro.config.schema;

/**
 * When a longer word than the one of the query is marked.
 *
 * @param minLength the query's word must have more characters than this
 * @param maxExtend the maximal number of characters after the query's word
 */
public record StemMarking(int minLength, int maxExtend) {}
