package org.crabro.content.search.match;

/**
 * The center of a geographical condition in a query.
 *
 * @param field the searched field
 * @param latitude degrees north
 * @param longitude degrees east
 */
public record QueryPlace(String field, double latitude, double longitude) {}
