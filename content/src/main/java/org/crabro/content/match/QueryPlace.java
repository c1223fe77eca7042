package org.crabro.content.match;

/**
 * A place that a query asks for.
 *
 * @param field the one that it looks into
 * @param latitude degrees north
 * @param longitude degrees east
 */
public record QueryPlace(String field, double latitude, double longitude) {}
