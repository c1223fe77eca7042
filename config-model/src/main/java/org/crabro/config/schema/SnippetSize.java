package org.crabro.config.schema;

/**
 * How many characters and parts a snippet has.
 *
 * @param length the approximate length of the snippet, in characters
 * @param minLength further parts are added while the snippet is shorter, in characters
 * @param maxMatches the maximal number of parts, if they reach {@code minLength}
 * @param surroundMax the maximal number of characters before and after a match
 */
public record SnippetSize(int length, int minLength, int maxMatches, int surroundMax) {}
