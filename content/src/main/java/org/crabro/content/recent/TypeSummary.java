package org.crabro.content.recent;

/**
 * A file that keeps a document type.
 *
 * @param file the path in the data directory
 * @param name of the type, empty where the file is not whole
 * @param fields how many it has
 * @param bytes the size of the file
 * @param isWhole whether a type is in it; one that is not whole was never relied on, or its rows
 *     are told as damage
 */
public record TypeSummary(String file, String name, int fields, long bytes, boolean isWhole) {}
