package org.crabro.content.storage.manifest;

/**
 * The valid rows of a run from now on: rows with one of {@code places}.
 *
 * @param number of the run
 */
public record RunBounds(long number, PlaceRange places) {}
